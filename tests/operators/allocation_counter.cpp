#include "tests/operators/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace millrace {

namespace {

thread_local std::int64_t count = 0;

void* allocate_or_null(std::size_t size) {
  ++count;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size) {
  if (void* const memory = allocate_or_null(size)) return memory;
  throw std::bad_alloc();
}

void* allocate_aligned(std::size_t size, std::align_val_t alignment) {
  ++count;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}

}  // namespace

std::int64_t allocation_count() { return count; }

}  // namespace millrace

void* operator new(std::size_t size) { return millrace::allocate(size); }
void* operator new[](std::size_t size) { return millrace::allocate(size); }
// A sanitizer has its own forms that do not throw, which the deletes below would not match.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return millrace::allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return millrace::allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return millrace::allocate_aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return millrace::allocate_aligned(size, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
