#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace millrace {

/// The kind of failure, for programs; the message says it for people.
enum class ErrorCode {
  kInvalidArgument,  ///< an option, a query or a value is wrong: refused before anything is read
  kNotFound,         ///< a named thing (topic, table, column, file) does not exist
  kAlreadyExists,    ///< a thing that must be new is there already
  kBadRecord,        ///< a record cannot be decoded or an expression fails on it
  kUnavailable,      ///< the other side is away; trying again may help
  kIo,               ///< the operating system refused a read or a write
  kCorrupt,          ///< bytes on disk are not what was written
  kLocked,           ///< another live process owns the checkpoint
  kConflict,         ///< another owner has changed what only we may change
  kDataLoss,         ///< records that the query still needs are gone
  kNotSupported,     ///< known, named, and not built (yet)
  kCancelled,        ///< stopped on request
  kInternal,         ///< a fault of ours
};

/// Gives the stable lower-case name of a code ("bad_record").
const char* to_string(ErrorCode code);

/// An expected failure: a code and a sentence, runtime values at its end ("topic not found: bids").
/// A plain value; copy it freely.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::int32_t position = -1;  ///< byte in the SQL text it is about; -1: none

  friend bool operator==(const Error&, const Error&) = default;
};

/// What every function that can fail returns. Exceptions never cross a room.
template <typename T>
using Result = tl::expected<T, Error>;

/// Success without a value, or an error.
using Status = Result<void>;

/// Builds the failure branch of any Result: `return fail(ErrorCode::kIo, "...")`.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), -1});
}

/// Passes an error on unchanged.
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace millrace

#define MILLRACE_CONCAT_INNER(a, b) a##b
#define MILLRACE_CONCAT(a, b) MILLRACE_CONCAT_INNER(a, b)

/// Returns from the calling function when `expression` (a Status or Result) failed.
#define MILLRACE_TRY(expression)                                   \
  do {                                                             \
    auto&& millrace_status = (expression);                         \
    if (!millrace_status) [[unlikely]]                             \
      return ::millrace::fail(std::move(millrace_status).error()); \
  } while (false)

/// Declares `target` from a Result, or returns its error.
#define MILLRACE_ASSIGN(target, expression)                                                  \
  auto MILLRACE_CONCAT(millrace_result_, __LINE__) = (expression);                           \
  if (!MILLRACE_CONCAT(millrace_result_, __LINE__)) [[unlikely]]                             \
    return ::millrace::fail(std::move(MILLRACE_CONCAT(millrace_result_, __LINE__)).error()); \
  target = std::move(*MILLRACE_CONCAT(millrace_result_, __LINE__))
