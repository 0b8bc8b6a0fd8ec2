#pragma once

#include "stream/plan/catalog.hpp"

#include <map>
#include <string>
#include <vector>

namespace millrace::stream {

/// What the record of a Kafka-like connector holds.
inline std::vector<Field> log_record() {
  const DataType header =
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}});
  return {{"key", TypeKind::kBytes},           {"value", TypeKind::kBytes},
          {"topic", TypeKind::kString},        {"partition", TypeKind::kInt32},
          {"offset", TypeKind::kInt64},        {"timestamp", TypeKind::kTimestamp},
          {"timestampType", TypeKind::kInt32}, {"headers", DataType::array(header)}};
}

/// A catalog of tables given to it, with three connectors: "kafka" (a stream of records with a
/// value in some format), "file" (static) and "rows" (a stream or sink of plain columns).
class TableCatalog final : public Catalog {
 public:
  void add(TableDefinition table) { tables_[table.name] = std::move(table); }

  Result<TableDefinition> table(std::string_view name) const override {
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    return fail(ErrorCode::kNotFound, "no table is called " + std::string(name));
  }

  void add_view(std::string name, LogicalPlan plan) { views_[std::move(name)] = std::move(plan); }

  LogicalPlan view(std::string_view name) const override {
    const auto found = views_.find(name);
    return found == views_.end() ? nullptr : found->second;
  }

  Result<TableTraits> traits(const TableDefinition& table, TableRole) const override {
    if (table.connector == "kafka") {
      return TableTraits{true, true, log_record(), {{"bootstrap_servers", "h:1"}}};
    }
    if (table.connector == "rows") return TableTraits{true, false, {}};
    return TableTraits{};
  }

 private:
  std::map<std::string, TableDefinition, std::less<>> tables_;
  std::map<std::string, LogicalPlan, std::less<>> views_;
};

/// The tables that most plans here are made over.
inline TableCatalog shop_catalog() {
  TableCatalog catalog;
  catalog.add({"clicks",
               "kafka",
               {{"ts", TypeKind::kInt64},
                {"user_id", TypeKind::kInt32},
                {"event_type", TypeKind::kString},
                {"price", TypeKind::kDouble},
                {"note", TypeKind::kString}},
               {{"topic", "clicks"}, {"format", "json"}}});
  catalog.add(
      {"users",
       "file",
       {{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}, {"tier", TypeKind::kInt32}},
       {{"path", "users.csv"}, {"format", "csv"}}});
  catalog.add({"countries",
               "file",
               {{"code", TypeKind::kString}, {"continent", TypeKind::kString}},
               {{"path", "countries.csv"}, {"format", "csv"}}});
  catalog.add({"enriched", "kafka", {}, {{"topic", "enriched"}, {"format", "json"}}});
  catalog.add({"records", "kafka", {}, {{"topic", "records"}, {"format", "raw"}}});
  return catalog;
}

}  // namespace millrace::stream
