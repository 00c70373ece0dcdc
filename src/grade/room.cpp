#include "grade/room.hpp"

#include "wire/handles.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace grade {
namespace {

/// A lab needs some hundred files.
constexpr std::size_t least_files = 1000;

/// Writes one block to the disk of `folder`, and reserves room for `bytes`. Returns the errno of
/// what failed, 0 if nothing failed or the file system does not support this.
int error_of_writing(const std::filesystem::path& folder, std::size_t bytes) {
    const wire::UniqueFd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR));
    if (!file)
        return errno == EOPNOTSUPP || errno == EISDIR ? 0 : errno;
    if (::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP)
        return errno;
    const std::array<char, 4096> block{};
    if (::pwrite(file.get(), block.data(), block.size(), 0) < 0 || ::fdatasync(file.get()) != 0)
        return errno;
    return 0;
}

} // namespace

Room::Room(std::filesystem::path folder, std::size_t bytes)
    : folder_(std::move(folder)), bytes_(bytes) {}

void Room::complain(const std::string& what) {
    if (complaint_.empty())
        complaint_ = what;
}

void Room::look() {
    struct statvfs disk {};
    if (::statvfs(folder_.c_str(), &disk) != 0)
        return; // removed meanwhile
    if (disk.f_bavail * disk.f_frsize < bytes_)
        complain("the disk is full: less than " + std::to_string(bytes_ >> 20) +
                 " MiB are left in the temporary folder");
    else if (disk.f_files != 0 && disk.f_favail < least_files)
        complain("the disk is full: there is no room for more files in the temporary folder");
}

void Room::try_writing() {
    look();
    if (const int error = error_of_writing(folder_, bytes_))
        complain("the disk of the temporary folder cannot be written: " +
                 std::generic_category().message(error));
}

void Room::require() const {
    if (!complaint_.empty())
        throw std::runtime_error(complaint_);
}

std::size_t kills_for_memory() {
    std::ifstream stream("/proc/vmstat");
    std::string name;
    for (std::size_t count = 0; stream >> name >> count;) {
        if (name == "oom_kill")
            return count;
    }
    return 0;
}

} // namespace grade
