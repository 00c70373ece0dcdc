#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace grade {

/// Watches whether a disk has room. Where it has not, or cannot be written, what fails is no fault of
/// the program that failed.
class Room {
  public:
    /// Watches the disk that `folder` is on, which should always have `bytes` left.
    explicit Room(std::filesystem::path folder, std::size_t bytes = least_bytes);

    /// Looks now. Takes microseconds, so that it can be called often.
    void look();

    /// Looks by writing: this finds quotas, too, and a disk that gives errors.
    void try_writing();

    /// What was wrong at one of the looks; "" if there was always room.
    const std::string& complaint() const { return complaint_; }

    /// Throws std::runtime_error with the complaint, if there is one.
    void require() const;

    /// More than a lab's compiler and kernels write between two looks.
    static constexpr std::size_t least_bytes = std::size_t{64} << 20;

  private:
    void complain(const std::string& what);

    std::filesystem::path folder_;
    std::size_t bytes_;
    std::string complaint_;
};

/// How often the kernel has killed a process because memory was short, since the machine started; 0
/// where it does not say.
std::size_t kills_for_memory();

} // namespace grade
