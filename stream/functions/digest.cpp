#include "stream/functions/digest.hpp"

#include <openssl/evp.h>
#include <zlib.h>

namespace millrace::stream {

namespace {

const char* name_of(DigestKind kind) {
  switch (kind) {
    case DigestKind::kMd5:
      return "MD5";
    case DigestKind::kSha1:
      return "SHA1";
    case DigestKind::kSha224:
      return "SHA2-224";
    case DigestKind::kSha256:
      return "SHA2-256";
    case DigestKind::kSha384:
      return "SHA2-384";
    case DigestKind::kSha512:
      break;
  }
  return "SHA2-512";
}

struct Free {
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

struct Digest::Context {
  std::unique_ptr<EVP_MD, Free> algorithm;
  std::unique_ptr<EVP_MD_CTX, Free> state;
};

Digest::Digest(DigestKind kind) : context_(std::make_unique<Context>()) {
  context_->algorithm.reset(EVP_MD_fetch(nullptr, name_of(kind), nullptr));
  context_->state.reset(EVP_MD_CTX_new());
}

Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

std::string_view Digest::compute(std::string_view bytes) {
  unsigned size = 0;
  auto* out = reinterpret_cast<unsigned char*>(digest_.data());
  EVP_MD_CTX* state = context_->state.get();
  const bool is_done = context_->algorithm != nullptr && state != nullptr &&
                       EVP_DigestInit_ex2(state, context_->algorithm.get(), nullptr) == 1 &&
                       EVP_DigestUpdate(state, bytes.data(), bytes.size()) == 1 &&
                       EVP_DigestFinal_ex(state, out, &size) == 1;
  return {digest_.data(), is_done ? size : 0};
}

std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace millrace::stream
