#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// A kernel file whose first lines say how to run it and what must be found:
///
///     // run: reduction 256/64            kernel, global size / work-group size (16x16/8x8)
///     // global: float 256 = 1            a buffer: type, elements, the value of each (iota: its
///                                         index; unwritten: uninitialized)
///     // write-only: float 256            the same, made with CL_MEM_WRITE_ONLY
///     // read-only: float 256             the same, made with CL_MEM_READ_ONLY
///     // again: 0                         the buffer of argument 0, once more
///     // local: float 64                  a local argument
///     // value: int 256                   a plain argument
///     // options: -DSUM                   build options
///     // expect: data-race 12             a finding's kind and line; several lines if there are
///     // expect: nothing                  several, or this one
///     // says: no mem_fence               what some finding's message must contain
///     // never: no barrier                what no finding's message may contain
///     // counts: additions 64             work that must be counted: additions, lone-additions,
///                                         item-bytes (loaded by the busiest work-item),
///                                         global-bytes
struct KernelCase {
    /// Kind and line.
    using Finding = std::pair<std::string, int>;

    wire::ProgramSource program;
    wire::KernelLaunch launch;
    std::vector<std::byte> memory;
    std::vector<Finding> expected;
    std::vector<std::string> said;
    std::vector<std::string> never_said;
    std::vector<std::pair<std::string, std::uint64_t>> counts;

    /// Reads the file at `path`.
    static KernelCase read(const std::string& path);

    /// Throws std::runtime_error, with `path` and the line, for a header that does not exist or has no
    /// such value.
    KernelCase(const std::string& path, std::string source);

  private:
    void add_argument(const std::string& kind, const std::string& text);
};
