#pragma once

#include "millrace/error.hpp"

#include "formats/record_decoder.hpp"
#include "formats/record_encoder.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>

namespace millrace::formats {

/// Makes the decoder of a decode step. kInvalidArgument names an unknown format and the nearest,
/// kNotSupported a type that the format has not got yet.
[[nodiscard]] Result<std::unique_ptr<RecordDecoder>> make_decoder(const stream::DecodeSpec& spec);

/// Makes the encoder of an encode step; errors as above.
[[nodiscard]] Result<std::unique_ptr<RecordEncoder>> make_encoder(const stream::EncodeSpec& spec);

}  // namespace millrace::formats
