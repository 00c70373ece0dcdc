#include "labgrind/vm/clang.hpp"

#include "wire/handles.hpp"
#include "wire/process.hpp"

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace labgrind {
namespace {

/// Returns the path of a clang from Debian's packages, such as the one POCL uses: the newest
/// version whose output has been tested, or else a newer one.
const std::string& find_clang() {
    static const std::string found = [] {
        constexpr int oldest = 14;
        constexpr int newest_tried = 19;
        constexpr int newest = 30;
        std::vector<int> versions;
        for (int version = newest_tried; version >= oldest; --version)
            versions.push_back(version);
        for (int version = newest_tried + 1; version <= newest; ++version)
            versions.push_back(version);
        for (const int version : versions) {
            std::string path = "/usr/lib/llvm-" + std::to_string(version) + "/bin/clang";
            if (::access(path.c_str(), X_OK) == 0)
                return path;
        }
        throw std::runtime_error("no clang " + std::to_string(oldest) +
                                 " or newer is installed; make setup installs one");
    }();
    return found;
}

/// Splits a program's options at blanks, except inside quotes.
std::vector<std::string> split(const std::string& options) {
    std::vector<std::string> words;
    bool in_word = false;
    bool quoted = false;
    for (const char c : options) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ' ' && !quoted) {
            in_word = false;
        } else {
            if (!in_word)
                words.emplace_back();
            in_word = true;
            words.back() += c;
        }
    }
    return words;
}

/// A file in memory with this text, positioned at its beginning.
wire::UniqueFd text_file(const std::string& text) {
    wire::UniqueFd file(::memfd_create("labgrind", MFD_CLOEXEC));
    if (file.get() < 0)
        wire::throw_errno("cannot create a file in memory");
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR)
            wire::throw_errno("cannot write a kernel file for the compiler");
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

std::string text_of(const wire::UniqueFd& file) {
    const off_t end = ::lseek(file.get(), 0, SEEK_END);
    std::string text(end > 0 ? static_cast<std::size_t>(end) : 0, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count =
            ::pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count <= 0)
            throw std::runtime_error("cannot read the compiler's output");
        done += static_cast<std::size_t>(count);
    }
    return text;
}

} // namespace

Compiled compile(const std::string& source, const std::string& options) {
    std::vector<std::string> command{find_clang(), "-x", "cl", "-cl-std=CL1.2",
                                     "-D__OPENCL_VERSION__=120"};
    for (std::string& word : split(options))
        command.push_back(std::move(word));
    for (const char* word :
         {"--target=spir64-unknown-unknown", "-O0", "-cl-opt-disable", "-fgnu89-inline", "-g",
          "-fno-discard-value-names", "-S", "-emit-llvm", "-Wno-everything", "-Wfloat-conversion",
          "-Wimplicit-int-conversion", "-Wtautological-unsigned-zero-compare", "-", "-o", "-"})
        command.emplace_back(word);
    const wire::UniqueFd input = text_file(source);
    const wire::UniqueFd output = text_file("");
    const wire::UniqueFd messages = text_file("");
    wire::Program clang{std::move(command)};
    clang.descriptors = {input.get(), output.get(), messages.get()};
    const int status = wire::wait_for(wire::start(clang));
    if (WIFEXITED(status) && WEXITSTATUS(status) == wire::cannot_execute)
        throw std::runtime_error("cannot start " + clang.arguments.front());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error("clang cannot compile the kernels:\n" + text_of(messages));
    return {text_of(output), text_of(messages)};
}

} // namespace labgrind
