#include "operators/batch_copy.hpp"

#include "millrace/value.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::operators {
namespace {

TEST(BatchCopy, SharesNoTextWithItsSourceHoweverDeepItLies) {
  const DataType type = *parse_type("map<string, array<struct<s: string>>>");
  BatchPool pool(make_schema({{"f", type}}));
  Batch copy = pool.take();
  const Value inner = Value::structure({{"s", Value::string("some text")}});
  const Value expected = Value::map(
      TypeKind::kString, DataType::array(inner.type),
      {{Value::string("a key"), Value::array(inner.type, {inner, Value::null(inner.type)})}});
  {
    Value source_value = expected;
    Batch source = pool.take();
    append_value(source.column(0), source_value);
    append_value(source.column(0), Value::null(type));
    source.set_rows(2);

    copy_batch(source, copy);

    auto& entries = std::get<std::vector<Value>>(source_value.data);
    std::get<std::string>(entries[0].data).assign("#####");
    auto& elements = std::get<std::vector<Value>>(entries[1].data);
    auto& fields = std::get<std::vector<Value>>(elements[0].data);
    std::get<std::string>(fields[0].data).assign("#########");
  }

  EXPECT_EQ(value_of(copy.column(0), 0), expected);
  EXPECT_TRUE(copy.column(0).is_null(1));
}

}  // namespace
}  // namespace millrace::operators
