#pragma once

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace helpers {

/// A new empty folder, which the destructor removes with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "harness_XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), "cannot create a folder");
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    /// Writes `text` into a file of this folder and returns its path.
    std::string write(const std::string& name, const std::string& text) const {
        const auto file = path_ / name;
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }

    std::string path(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

/// The path of the program `name` of tests/harness/programs, which is beside the tests.
inline std::string program(const std::string& name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "programs" / name)
        .string();
}

/// Whether `function` returns. It runs in another process, so that a crash does not end the tests.
template <class Function> bool survives(const Function& function) {
    const pid_t child = ::fork();
    if (child < 0)
        throw std::system_error(errno, std::generic_category(), "cannot fork");
    if (child == 0) {
        ::signal(SIGSEGV, SIG_DFL); // doctest's handler would report the child's crash
        ::signal(SIGABRT, SIG_DFL);
        try {
            function();
        } catch (...) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Whether `text` contains `part`.
inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// How often `part` occurs in `text`.
inline std::size_t times(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

/// Repetitions of `pattern`, of `size` bytes in total.
inline std::string repeated(const std::string& pattern, std::size_t size) {
    std::string text;
    while (text.size() < size)
        text += pattern;
    return text;
}

/// The message of the exception that `function` throws; "" if it throws none.
template <class Exception, class Function> std::string what_of(const Function& function) {
    try {
        function();
    } catch (const Exception& error) {
        return error.what();
    }
    return {};
}

} // namespace helpers
