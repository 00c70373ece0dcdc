#pragma once

#include "wire/span.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace wire {

/// Throws std::system_error for `errno`, with `what` in front of the system's own words.
[[noreturn]] void throw_errno(const std::string& what);

/// Owns one file descriptor.
class UniqueFd {
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept;
    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;
    ~UniqueFd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    void reset();

  private:
    int fd_ = -1;
};

/// A mapping of a shared memory file into this process; unmapped at the end.
class Mapping {
  public:
    enum class Access { read, read_write };

    Mapping() = default;
    /// Maps `size` bytes of `fd` from its beginning. Throws std::system_error.
    Mapping(const UniqueFd& fd, std::size_t size, Access access);
    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Mapping& operator=(Mapping&& other) noexcept;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() { reset(); }

    Span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), size_}; }
    void* data() const { return data_; }

  private:
    void reset();

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Memory of a fixed size that can be handed to another process: it has no name in any file system
/// and is gone with its last descriptor.
UniqueFd create_shared_memory(const char* label, std::size_t size);

/// Takes away everybody's right to write to `fd`, for good.
void seal_against_writing(const UniqueFd& fd);

} // namespace wire
