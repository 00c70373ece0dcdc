#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace grade {

/// Watches whether a disk has room. If it is full, or cannot be written, a program that fails is
/// not at fault.
class Room {
  public:
    /// Watches the disk of `folder`, which should always have `bytes` left.
    explicit Room(std::filesystem::path folder, std::size_t bytes = least_bytes);

    /// Checks the free space. Takes microseconds, so it can be called often.
    void look();

    /// Checks by writing, which also detects quotas and a disk with errors.
    void try_writing();

    /// What was wrong at one of the checks; "" if there was always room.
    const std::string& complaint() const { return complaint_; }

    /// Throws std::runtime_error with the complaint if there is one.
    void require() const;

    /// More than a lab's compiler and kernels write between two checks.
    static constexpr std::size_t least_bytes = std::size_t{64} << 20;

  private:
    void complain(const std::string& what);

    std::filesystem::path folder_;
    std::size_t bytes_;
    std::string complaint_;
};

/// Returns how many processes the kernel has killed for lack of memory since the machine started; 0
/// if it does not say.
std::size_t kills_for_memory();

} // namespace grade
