#pragma once

#include "millrace/error.hpp"

#include "stream/plan/physical_plan.hpp"
#include "stream/plan/resolved_query.hpp"

#include <string_view>

namespace millrace::stream {

/// The connector that writes lines to the file of the option dead_letter_path. No table of a user's
/// is on it.
inline constexpr std::string_view kDeadLetterFileConnector = "dead_letter_file";

/// Reads what a stream's options say about bad records into the relation, and describes the table
/// that its dead letters go to. Refuses what cannot be with this connector, format and columns.
[[nodiscard]] Status resolve_bad_records(Relation& relation);

/// What a chain does with the bad records of its source. Adds the record's own columns that dead
/// letters are made of to those that the source reads, behind what is there.
[[nodiscard]] BadRecordSpec plan_bad_records(const Relation& stream, SourceSpec& source);

}  // namespace millrace::stream
