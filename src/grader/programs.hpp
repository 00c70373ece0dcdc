#pragma once

#include "grader/runner_process.hpp"
#include "sandbox/sandbox.hpp"

#include <atomic>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// The variables of POCL, which keeps its compiled kernels in the folder `cache`.
std::vector<std::pair<std::string, std::string>> pocl_variables(const std::string& cache);

/// How to start programs of the build: directly, or each in a sandbox of its own, so that none reaches
/// another.
class Programs {
  public:
    struct Settings {
        std::string root;       ///< the repository; programs are relative to it
        std::string protection; ///< a name of sandbox::Protection; "" for no sandbox
        std::string confine;    ///< the program that enters a sandbox, relative to `root`
        bool has_gpu = false;   ///< a sandbox needs its device files
        /// Once this is true, the programs are stopped.
        const std::atomic<bool>* abandoned = nullptr;
    };

    explicit Programs(Settings settings) : settings_(std::move(settings)) {}

    /// The command that starts `program`. Throws Unusable.
    RunnerCommand command_for(const std::string& program);
    /// The command that starts `command` with the permissions of `program`, in its sandbox. It writes to
    /// its own empty scratch folder, so that no program leaves anything for another. Throws Unusable.
    RunnerCommand enclosed(const std::string& program, const std::vector<std::string>& command);
    bool are_enclosed() const { return !settings_.protection.empty(); }
    /// "bubblewrap": the sandbox of `program`. Throws Unusable.
    std::string protection_of(const std::string& program) { return sandbox_of(program).describe(); }

  private:
    sandbox::Sandbox& sandbox_of(const std::string& program);

    Settings settings_;
    std::map<std::string, sandbox::Sandbox> sandboxes_; ///< by program
};

} // namespace grader
