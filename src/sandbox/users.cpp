#include "sandbox/users.hpp"

#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <grp.h>
#include <pwd.h>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace sandbox {
namespace {

/// The ids to search. A container may have only some of them.
struct Range {
    uid_t first;
    uid_t last;
};
constexpr std::array ranges{Range{63000, 63999}, Range{60000, 60999}, Range{30000, 30999},
                            Range{2000, 2999}};

bool has_name(uid_t user) {
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> texts(std::size_t{1} << 14);
    ::getpwuid_r(user, &entry, texts.data(), texts.size(), &found);
    return found != nullptr;
}

std::set<uid_t> users_with_processes() {
    std::set<uid_t> users;
    std::error_code error;
    std::filesystem::directory_iterator entry("/proc", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        struct stat status {};
        if (std::isdigit(static_cast<unsigned char>(entry->path().filename().c_str()[0])) != 0 &&
            ::stat(entry->path().c_str(), &status) == 0)
            users.insert(status.st_uid);
    }
    return users;
}

/// Returns a socket with an agreed name, which only one process of the machine can have and the
/// kernel releases when that process ends.
wire::UniqueFd reserve(uid_t user) {
    wire::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket)
        wire::throw_errno("cannot reserve a user id");
    const std::string name = "opencl-labs-uid-" + std::to_string(user);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(name, &address.sun_path[1]); // after a null: in no file system
    const auto size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how bind() is called
    const auto* plain = reinterpret_cast<const sockaddr*>(&address);
    if (::bind(socket.get(), plain, static_cast<socklen_t>(size)) == 0)
        return socket;
    if (errno != EADDRINUSE)
        wire::throw_errno("cannot reserve a user id");
    return {};
}

} // namespace

SpareUser find_spare_user() {
    const std::set<uid_t> busy = users_with_processes();
    for (const Range& range : ranges) {
        if (!as_user(range.first, [] { return true; }))
            continue; // a container without these ids
        for (uid_t user = range.first; user <= range.last; ++user) {
            if (busy.contains(user) || has_name(user))
                continue;
            if (wire::UniqueFd reservation = reserve(user))
                return {user, std::move(reservation)};
        }
    }
    throw std::runtime_error("there is no unused user id");
}

bool as_user(uid_t user, const std::function<bool()>& function) {
    const pid_t child = ::fork();
    if (child < 0)
        wire::throw_errno("cannot start a process");
    if (child == 0) {
        const auto group = static_cast<gid_t>(user);
        const bool changed = ::setgroups(0, nullptr) == 0 &&
                             ::setresgid(group, group, group) == 0 &&
                             ::setresuid(user, user, user) == 0;
        ::_exit(changed && function() ? 0 : 1);
    }
    const int status = wire::wait_for(child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace sandbox
