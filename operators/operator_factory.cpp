#include "operators/operator_factory.hpp"

#include "millrace/assert.hpp"

#include "formats/format_registry.hpp"
#include "operators/bad_records.hpp"
#include "operators/decode_operator.hpp"
#include "operators/encode_operator.hpp"
#include "operators/explode_operator.hpp"
#include "operators/filter_operator.hpp"
#include "operators/project_operator.hpp"
#include "operators/sink_operator.hpp"
#include "operators/static_join_operator.hpp"
#include "operators/typed_operator.hpp"

namespace millrace::operators {

namespace {

using Made = Result<std::unique_ptr<Operator>>;

/// Makes the operator of each kind of step.
struct Maker {
  const ChainContext& context;

  Made operator()(const stream::DecodeSpec& spec) const {
    MILLRACE_ASSIGN(auto decoder, formats::make_decoder(spec));
    return std::make_unique<DecodeOperator>(spec, std::move(decoder), context);
  }
  Made operator()(const stream::FilterSpec& spec) const {
    return std::make_unique<FilterOperator>(spec, *context.bad_records);
  }
  Made operator()(const stream::ProjectSpec& spec) const {
    return std::make_unique<ProjectOperator>(spec, *context.bad_records);
  }
  Made operator()(const stream::StaticJoinSpec& spec) const {
    MILLRACE_ASSIGN(auto table, context.static_table(spec));
    auto versions = context.table_versions ? context.table_versions(spec) : nullptr;
    return std::make_unique<StaticJoinOperator>(spec, std::move(table), *context.bad_records,
                                                std::move(versions), context.first_epoch);
  }
  Made operator()(const stream::TypedSpec& spec) const {
    return std::make_unique<TypedOperator>(spec);
  }
  Made operator()(const stream::ExplodeSpec& spec) const {
    return std::make_unique<ExplodeOperator>(spec, *context.bad_records);
  }
  Made operator()(const stream::EncodeSpec& spec) const {
    MILLRACE_ASSIGN(auto encoder, formats::make_encoder(spec));
    return std::make_unique<EncodeOperator>(spec, std::move(encoder));
  }
  Made operator()(const stream::SinkSpec& spec) const {
    MILLRACE_ASSIGN(auto writer, context.open_writer(spec));
    return std::make_unique<SinkOperator>(std::move(writer), context);
  }
};

}  // namespace

Result<std::unique_ptr<Operator>> make_operator(const stream::OperatorSpec& spec,
                                                const ChainContext& context) {
  MILLRACE_ASSERT(context.bad_records != nullptr);
  return std::visit(Maker{context}, spec);
}

}  // namespace millrace::operators
