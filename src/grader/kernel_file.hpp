#pragma once

#include <map>
#include <string>
#include <vector>

namespace grader {

/// A student's kernel file: its text and the places in it. Lines count from 1.
class KernelFile {
  public:
    struct Place {
        int line = 0;
        std::string text;
    };

    /// Reads the file at `path`; messages call it `name`. Throws std::runtime_error if the file is
    /// missing, unreadable or contains only white space.
    KernelFile(const std::string& path, std::string name);
    /// The same from a text in memory.
    static KernelFile from_text(std::string text, std::string name);

    const std::string& name() const { return name_; }
    const std::string& text() const { return text_; }
    const std::vector<std::string>& lines() const { return lines_; }
    /// The same without comments.
    std::vector<std::string> code_lines() const;
    /// Line `number`, or "" if there is no such line.
    std::string line(int number) const;
    /// The line on which `__kernel void kernel(` begins, or 0 if there is none.
    int line_of_kernel(const std::string& kernel) const;
    /// The names of all kernels.
    std::vector<std::string> kernels() const;
    /// The names that #if, #ifdef and #elif test, and that the file does not define.
    std::vector<Place> tested_macros() const;
    /// What the student has not implemented yet: the comments "not implemented yet: ...".
    std::vector<Place> unimplemented() const;

    /// "  12 | text of the line", with a caret under `column` unless that is 0.
    std::string quote(int number, int column = 0) const;

  private:
    KernelFile() = default;
    void split();
    void find_kernels();

    std::string name_;
    std::string text_;
    std::vector<std::string> lines_;
    std::map<std::string, int> kernel_lines_; ///< where each begins
};

/// A message of a kernel compiler.
struct Diagnostic {
    enum class Severity { fatal_error, error, warning };

    int line = 0;   ///< 0: it names none
    int column = 0; ///< 0: it names none
    Severity severity = Severity::error;
    std::string text;

    bool is_warning() const { return severity == Severity::warning; }
};

/// The messages in a build log, in the format of clang (FILE:LINE:COLUMN: error: TEXT) or of POCL
/// (error: FILE:LINE:COLUMN: TEXT).
std::vector<Diagnostic> parse_build_log(const std::string& log);

/// A build log for students: each error with its line of `file` and a caret; the log itself if it
/// contains no recognizable error.
std::string explain_build_log(const std::string& log, const KernelFile& file);

} // namespace grader
