#pragma once

#include "session/session_shared.hpp"
#include "stream/plan/catalog.hpp"

namespace millrace::session {

/// The tables of a session, as analysis sees them. A borrow of the session; any thread.
class SessionCatalog final : public stream::Catalog {
 public:
  explicit SessionCatalog(SessionShared& session) : session_(session) {}

  /// Adds a table; one of that name already there is refused, an unknown connector too.
  [[nodiscard]] Status add(stream::TableDefinition table);
  /// Adds a view under a name that is free. Its query is not checked here.
  [[nodiscard]] Status add_view(std::string name, stream::LogicalPlan plan);

  [[nodiscard]] Result<stream::TableDefinition> table(std::string_view name) const override;
  [[nodiscard]] stream::LogicalPlan view(std::string_view name) const override;
  [[nodiscard]] Result<stream::TableTraits> traits(const stream::TableDefinition& table,
                                                   stream::TableRole role) const override;

 private:
  SessionShared& session_;
};

}  // namespace millrace::session
