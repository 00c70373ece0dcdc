#include "sandbox/landlock.hpp"

#include "wire/handles.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox {
namespace {

// Rights that can be newer than the headers of this system.
constexpr std::uint64_t refer_right = std::uint64_t{1} << 13;    // version 2
constexpr std::uint64_t truncate_right = std::uint64_t{1} << 14; // version 3
constexpr std::uint64_t ioctl_right = std::uint64_t{1} << 15;    // version 5
constexpr std::uint64_t tcp_rights = 3;                          // bind and connect, version 4
constexpr std::uint64_t scope_rights = 3;                        // abstract sockets, signals: 6
constexpr std::uint64_t version_1_rights = (std::uint64_t{1} << 13) - 1;

constexpr std::uint64_t read_rights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t device_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                                        LANDLOCK_ACCESS_FS_WRITE_FILE | ioctl_right;
/// Rights that can be allowed for something that is not a folder.
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_right | ioctl_right;

/// What a ruleset decides on; a kernel reads as much of it as its version knows.
struct RulesetAttributes {
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scopes = 0;
};

std::uint64_t known_file_rights(int version) {
    std::uint64_t rights = version_1_rights;
    if (version >= 2)
        rights |= refer_right;
    if (version >= 3)
        rights |= truncate_right;
    if (version >= 5)
        rights |= ioctl_right;
    return rights;
}

std::size_t known_size(int version) {
    return sizeof(std::uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

void allow(const wire::UniqueFd& ruleset, const std::string& path, std::uint64_t rights) {
    const wire::UniqueFd file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!file && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return; // missing, or out of reach anyway
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0)
        wire::throw_errno("cannot open " + path);
    if (!S_ISDIR(status.st_mode))
        rights &= file_rights;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights;
    rule.parent_fd = file.get();
    if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        wire::throw_errno("cannot allow " + path);
}

} // namespace

int landlock_version() {
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : static_cast<int>(version);
}

void restrict_to(const FileAccess& access) {
    const int version = landlock_version();
    RulesetAttributes attributes;
    attributes.files = known_file_rights(version);
    attributes.network = tcp_rights;
    attributes.scopes = scope_rights;
    const wire::UniqueFd ruleset(static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, &attributes, known_size(version), 0)));
    if (!ruleset)
        wire::throw_errno("cannot restrict the file system with Landlock");
    for (const std::string& path : access.readable)
        allow(ruleset, path, read_rights & attributes.files);
    for (const std::string& path : access.devices)
        allow(ruleset, path, device_rights & attributes.files);
    for (const std::string& path : access.writable)
        allow(ruleset, path, attributes.files);
    // The kernel lets any process restrict itself if it cannot gain new privileges.
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        wire::throw_errno("cannot restrict the file system with Landlock");
}

} // namespace sandbox
