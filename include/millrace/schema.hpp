#pragma once

#include "millrace/data_type.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// The columns of a batch or table, in order. Immutable after construction; shared between batches
/// of one layout by `SchemaRef`. Names match exactly; duplicates are allowed (a join can bring
/// them) and `find` then gives the first.
class Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Field> fields) : fields_(std::move(fields)) {}

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] const Field& field(std::size_t index) const { return fields_[index]; }
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// "name type, name type".
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const Schema&, const Schema&) = default;

 private:
  std::vector<Field> fields_;
};

using SchemaRef = std::shared_ptr<const Schema>;

/// Builds a shared schema: `make_schema({{"id", TypeKind::kInt64}, {"name", TypeKind::kString}})`.
[[nodiscard]] SchemaRef make_schema(std::vector<Field> fields);

}  // namespace millrace
