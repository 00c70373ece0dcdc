#include "sandbox/visible_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>

namespace sandbox {
namespace {

namespace fs = std::filesystem;

/// The parts of /etc and /sys that programs need to find libraries, OpenCL devices and processors.
constexpr std::array settings{"/etc/OpenCL",        "/etc/alternatives", "/etc/ld.so.cache",
                              "/etc/ld.so.conf",    "/etc/ld.so.conf.d", "/etc/localtime",
                              "/sys/devices/system"};
constexpr std::array gpu_settings{
    "/sys/devices",           "/sys/bus/pci",      "/sys/dev",
    "/sys/class/drm",         "/sys/class/kfd",    "/sys/module/nvidia",
    "/sys/module/nvidia_uvm", "/sys/module/amdgpu"};

} // namespace

fs::path resolve(const std::string& path) {
    std::error_code error;
    const fs::path resolved = fs::canonical(path, error);
    return error ? fs::path(path) : resolved;
}

bool lies_in(const fs::path& one, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), one.begin(), one.end()).first ==
           folder.end();
}

std::vector<std::string> gpu_devices() {
    std::vector<std::string> found;
    std::error_code error;
    fs::directory_iterator entry("/dev", error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (name.starts_with("nvidia") || name == "dri" || name == "kfd" || name == "dxg")
            found.push_back(entry->path());
    }
    std::ranges::sort(found);
    return found;
}

std::set<gid_t> gpu_groups() {
    std::set<gid_t> groups;
    const auto add = [&](const fs::path& path) {
        constexpr mode_t group_may = S_IRGRP | S_IWGRP;
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_gid != 0 &&
            (status.st_mode & group_may) == group_may && (status.st_mode & S_IWOTH) == 0)
            groups.insert(status.st_gid);
    };
    for (const std::string& device : gpu_devices()) {
        add(device);
        std::error_code error;
        fs::directory_iterator entry(device, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error))
            add(entry->path());
    }
    return groups;
}

std::vector<std::string> shared_readable(const Cell& cell) {
    std::vector<std::string> paths(settings.begin(), settings.end());
    if (cell.gpu)
        paths.insert(paths.end(), gpu_settings.begin(), gpu_settings.end());
    return paths;
}

std::vector<fs::path> hidden_in(const std::string& folder, const Cell& cell) {
    std::vector<fs::path> found;
    const fs::path real = resolve(folder);
    for (const std::string& hidden : cell.hidden) {
        const fs::path path = resolve(hidden);
        if (lies_in(path, real) && fs::exists(path))
            found.push_back(path == real ? fs::path(folder)
                                         : fs::path(folder) / path.lexically_relative(real));
    }
    return found;
}

void refuse_bad_cells(const Cell& cell) {
    for (const auto* paths : {&cell.readable, &cell.writable}) {
        for (const std::string& path : *paths) {
            if (path.empty() || path.front() != '/' || !fs::exists(path))
                throw std::runtime_error("a program cannot be given \"" + path +
                                         "\"; name an absolute path that exists");
        }
    }
    for (const std::string& path : cell.writable) {
        if (!hidden_in(path, cell).empty())
            throw std::runtime_error("what lies in " + path + " cannot be hidden, because the " +
                                     "program can write there; put it elsewhere");
    }
}

} // namespace sandbox
