#pragma once

#include <map>
#include <string>
#include <vector>

namespace grader {

/// A student's kernel file: its text, and where things stand in it. Lines count from 1.
class KernelFile {
  public:
    struct Place {
        int line = 0;
        std::string text;
    };

    /// Reads the file at `path`; `name` is what messages call it. Throws std::runtime_error for a
    /// file that is missing, unreadable or has nothing but white space in it.
    KernelFile(const std::string& path, std::string name);
    /// The same from a text in memory.
    static KernelFile from_text(std::string text, std::string name);

    const std::string& name() const { return name_; }
    const std::string& text() const { return text_; }
    /// Line `number`, or "" where the file has no such line.
    std::string line(int number) const;
    /// The line on which `__kernel void kernel(` begins, or 0.
    int line_of_kernel(const std::string& kernel) const;
    /// What the starter left to write: the comments "not implemented yet: ...".
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
    int line = 0;         ///< 0: it names none
    int column = 0;       ///< likewise
    std::string severity; ///< "error", "warning", ...
    std::string text;
};

/// The messages in a build log, whichever compiler wrote it: those of clang's shape
/// (FILE:LINE:COLUMN: error: TEXT) and of POCL's (error: FILE:LINE:COLUMN: TEXT).
std::vector<Diagnostic> parse_build_log(const std::string& log);

/// A build log for people: each error with its line of `file` and a caret; the log itself where
/// no error can be told from it.
std::string explain_build_log(const std::string& log, const KernelFile& file);

} // namespace grader
