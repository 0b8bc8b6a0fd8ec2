#pragma once

#include <map>
#include <string>

namespace millrace::property {

/// Overloads that no oracle is held against, by signature, and why. Exactly those: one that gets an
/// oracle has to go from here, and a new function without one does not come in.
inline const std::map<std::string, std::string>& functions_without_oracle() {
  static const std::map<std::string, std::string> reasons = {
      {"null != null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null < null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null <= null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null <=> null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null <> null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null = null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null == null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null > null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"null >= null",
       "both sides are the literal null, and a literal is what the binder makes of it"},
      {"rand()", "draws"},
      {"rand(bigint), a literal", "draws"},
      {"randn()", "draws"},
      {"randn(bigint), a literal", "draws"},
      {"uuid()", "draws"},
      {"current_date()", "tells the time of the batch"},
      {"current_timestamp()", "tells the time of the batch"},
      {"unix_timestamp()", "tells the time of the batch"},
      {"e()", "a constant"},
      {"pi()", "a constant"},
      {"current_timezone()", "a constant"},
      {"md5(bytes)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"md5(string)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha1(bytes)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha1(string)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha2(bytes, int)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha2(string, int)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha256(bytes)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"sha256(string)", "OpenSSL computes it: its known answers are in functions_hash_test"},
      {"xxhash64(value, ...), no map among them",
       "xxHash computes it: Spark's answers are in functions_hash_test"},
      {"kafka_partition(bytes, int)",
       "nothing plainer than itself: Kafka's answers are in functions_hash_test"},
      {"kafka_partition(string, int)",
       "nothing plainer than itself: Kafka's answers are in functions_hash_test"},
      {"from_json(string, schema[, options])",
       "a language of its own, with a decoder behind it: functions_json_test, and tests/fuzz"},
      {"get_json_object(string, string)",
       "a language of its own, with a decoder behind it: functions_json_test, and tests/fuzz"},
      {"json_array_length(string)",
       "a language of its own, with a decoder behind it: functions_json_test, and tests/fuzz"},
      {"json_object_keys(string)",
       "a language of its own, with a decoder behind it: functions_json_test, and tests/fuzz"},
      {"to_json(struct, array or map[, options])",
       "a language of its own, with a decoder behind it: functions_json_test, and tests/fuzz"},
      {"format_number(number, int)", "a language of patterns: functions_number_format_test"},
      {"format_number(number, string)", "a language of patterns: functions_number_format_test"},
      {"cast(interval as string)",
       "the words of intervals are a language: functions_interval_test"},
      {"cast(string as interval)",
       "the words of intervals are a language: functions_interval_test"},
      {"soundex(string)", "a code of letters, told by a table either way: functions_search_test"},
      {"to_date(date, string)", "what the pattern says does not matter, the value is the answer"},
      {"to_timestamp(timestamp, string)",
       "what the pattern says does not matter, the value is the answer"},
      {"unix_timestamp(timestamp, string)",
       "what the pattern says does not matter, the value is the answer"},
      {"map_entries(map)",
       "its fields have names that the oracles' structs have not: functions_map_test, "
       "functions_struct_test"},
      {"arrays_zip(array, ...)",
       "its fields have names that the oracles' structs have not: functions_map_test, "
       "functions_struct_test"},
  };
  return reasons;
}

}  // namespace millrace::property
