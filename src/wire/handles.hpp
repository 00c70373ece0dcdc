#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace wire {

/// Throws std::system_error for `errno`, with `what` before the system's message.
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

/// A mapping of a shared memory file into this process, which the destructor unmaps.
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

    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), size_}; }
    void* data() const { return data_; }

  private:
    void reset();

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Creates memory of a fixed size that can be passed to another process: it has no name in any file
/// system and is freed with its last descriptor. Throws std::system_error.
UniqueFd create_shared_memory(const char* label, std::size_t size);

/// Makes `fd` permanently read-only for all processes. Throws std::system_error.
void seal_against_writing(const UniqueFd& fd);

} // namespace wire
