#include "wire/handles.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace wire {

void throw_errno(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

void UniqueFd::reset() {
    if (fd_ >= 0)
        ::close(fd_);
    fd_ = -1;
}

Mapping::Mapping(const UniqueFd& fd, std::size_t size, Access access) : size_(size) {
    if (size == 0)
        return;
    const int protection = access == Access::read ? PROT_READ : PROT_READ | PROT_WRITE;
    void* address = ::mmap(nullptr, size, protection, MAP_SHARED, fd.get(), 0);
    if (address == MAP_FAILED) // NOLINT(cppcoreguidelines-pro-type-cstyle-cast): the system's macro
        throw_errno("cannot map shared memory");
    data_ = address;
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    if (this != &other) {
        reset();
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

void Mapping::reset() {
    if (data_ != nullptr)
        ::munmap(data_, size_);
    data_ = nullptr;
}

UniqueFd create_shared_memory(const char* label, std::size_t size) {
    UniqueFd fd(::memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd)
        throw_errno("cannot create shared memory");
    if (::ftruncate(fd.get(), static_cast<off_t>(size)) != 0)
        throw_errno("cannot resize shared memory to " + std::to_string(size) + " bytes");
    // A process that could shrink the file would crash all others that have it mapped.
    if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        throw_errno("cannot fix the size of shared memory");
    return fd;
}

void seal_against_writing(const UniqueFd& fd) {
    if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) != 0)
        throw_errno("cannot make shared memory read-only");
}

} // namespace wire
