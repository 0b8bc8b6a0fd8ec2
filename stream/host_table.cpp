#include "stream/host_table.hpp"

#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <fmt/format.h>

namespace millrace::stream {
namespace {

tl::unexpected<Error> cannot(const HostTable& table, std::string_view verb) {
  return fail(ErrorCode::kNotSupported,
              fmt::format("{} {} cannot be {}", table.connector(), table.name(), verb));
}

}  // namespace

Result<std::unique_ptr<Source>> HostTable::open_source(const Clock& /*clock*/) {
  return cannot(*this, "read as a stream");
}

Result<std::unique_ptr<Sink>> HostTable::open_sink(const SchemaRef& /*schema*/,
                                                   const Clock& /*clock*/) {
  return cannot(*this, "written");
}

Result<std::size_t> HostTable::load(std::vector<Column>& /*columns*/, Arena& /*arena*/) {
  return cannot(*this, "read as a static table");
}

}  // namespace millrace::stream
