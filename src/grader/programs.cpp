#include "grader/programs.hpp"

#include "grader/unusable.hpp"
#include "sandbox/removal.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

namespace fs = std::filesystem;

namespace grader {
namespace {

/// What every process may use; calls also have deadlines. The largest trial has several buffers of
/// 200 MB, and OpenCL has a thread for each core.
sandbox::Limits runner_limits() {
    sandbox::Limits limits;
    limits.cpu_seconds = 1800;
    limits.memory_bytes = std::size_t{4} << 30;
    limits.processes = 64 + 2 * static_cast<int>(std::thread::hardware_concurrency());
    limits.file_bytes = std::size_t{1} << 30;
    limits.disk_bytes = std::size_t{64} << 20; // compiled kernels take a tenth of it
    return limits;
}

/// Environment variables for the OpenCL loader and drivers that are passed into a sandbox.
constexpr std::array<const char*, 6> passed_on{"OCL_ICD_VENDORS",      "OCL_ICD_FILENAMES",
                                               "POCL_DEVICES",         "POCL_MAX_PTHREAD_COUNT",
                                               "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};

} // namespace

std::vector<std::pair<std::string, std::string>> pocl_variables(const std::string& cache) {
    // One binary of a kernel serves all sizes: cases try many sizes, each only once.
    return {{"POCL_CACHE_DIR", cache}, {"POCL_WORK_GROUP_SPECIALIZATION", "0"}};
}

sandbox::Sandbox& Programs::sandbox_of(const std::string& program) {
    const auto known = sandboxes_.find(program);
    if (known != sandboxes_.end())
        return known->second;
    try {
        const fs::path confine = fs::path(settings_.root) / settings_.confine;
        return sandboxes_
            .emplace(program, sandbox::Sandbox::choose(confine.string(), sandbox::protection_named(
                                                                             settings_.protection)))
            .first->second;
    } catch (const std::runtime_error& error) {
        throw Unusable(error.what());
    }
}

RunnerCommand Programs::enclosed(const std::string& program,
                                 const std::vector<std::string>& command) {
    sandbox::Sandbox& sandbox = sandbox_of(program);
    const fs::path path = fs::canonical(fs::path(settings_.root) / program);
    const fs::path scratch = fs::canonical(settings_.root) / "build/scratch" / path.filename();
    if (const std::error_code error = sandbox::remove_tree(scratch))
        throw Unusable("cannot empty " + scratch.string() + ": " + error.message());
    fs::create_directories(scratch);
    sandbox.hand_over(scratch);
    sandbox::Cell cell;
    cell.readable = {path.parent_path()};
    cell.writable = {scratch};
    cell.directory = scratch;
    cell.environment = pocl_variables(scratch / "pocl-cache");
    cell.environment.insert(cell.environment.end(),
                            {{"PATH", "/usr/bin:/bin"}, {"LANG", "C.UTF-8"}, {"HOME", scratch}});
    for (const char* name : passed_on) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing sets any
        if (value != nullptr)
            cell.environment.emplace_back(name, value);
    }
    cell.gpu = settings_.has_gpu;
    cell.limits = runner_limits();
    return {sandbox.command(cell, command), cell, settings_.abandoned};
}

RunnerCommand Programs::command_for(const std::string& program) {
    const fs::path path = fs::path(settings_.root) / program;
    if (!are_enclosed())
        return {{path.string()}, {}, settings_.abandoned};
    return enclosed(program, {fs::canonical(path)});
}

} // namespace grader
