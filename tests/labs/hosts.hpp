#pragma once

#include "grader/case.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// What the host must give the kernels. A host can be right in unusual ways, so all of this only
/// explains failures; see grader::Case::explain_host_by().
namespace hosts {

/// An argument that is a buffer.
struct Buffer {
    enum class Role {
        input,   ///< the host writes it before the launch
        changed, ///< likewise, and the kernel changes it
        output,  ///< the host reads it after the launch
        both,    ///< input and output
        result,  ///< an earlier launch writes it
        other,
    };
    int index = 0;
    std::string name;
    Role role = Role::other;
    std::size_t bytes = 0;       ///< at least; of an output: that the host reads
    std::size_t input_bytes = 0; ///< of an input: that the host writes, at least
    bool is_exact = false;       ///< the host reads no more of an output
};

/// An argument that is a number.
struct Number {
    int index = 0;
    std::string name;
    std::size_t least = 0;
    std::size_t most = 0;
    std::string meaning; ///< "the number of elements"
};

/// The sizes of a launch.
struct Sizes {
    std::size_t work_items = 0;  ///< of all groups; 0: any
    std::size_t group = 0;       ///< work-items; 0: any
    std::size_t local_bytes = 0; ///< at least
    std::size_t per_item = 1;    ///< elements that a work-item takes
    std::size_t elements = 0;    ///< of the input; 0: unknown
};

/// The arguments of a launch.
struct Needs {
    Sizes sizes;
    std::vector<Buffer> buffers = {};
    std::vector<Number> numbers = {};
};

/// The argument with this index; null if it is not set.
const wire::GivenArgument* argument(const wire::Launch& launch, int index);

/// The buffer that is the argument; 0 if it is none or not known.
int buffer_of(const wire::Launch& launch, int index);

/// The number of floats in the buffer that is the argument; 0 if it is none.
std::size_t floats_in(const wire::Launch& launch, int index);

/// "argument 2 of add_offsets, n,".
std::string name_argument(const wire::Launch& launch, int index, const std::string& name);

/// A mistake in an argument.
grader::KnownMistake wrong_argument(const std::string& text, const std::string& cause);

/// Whether the buffer is an argument of the launch.
bool uses(const wire::Launch& launch, int buffer);

/// How many bytes of `buffer` the host reads after launch number `launch`.
std::size_t bytes_read_after(const wire::CallReply& seen, int buffer, std::size_t launch);

/// What is wrong with how the host fills a buffer of floats; "" for nothing.
std::string wrong_pattern(const wire::CallReply& seen, int buffer);

/// The call by which the host writes some of the first `bytes` of `buffer` between the last launch that
/// used it and launch number `launch`; "" if there is none.
std::string overwritten_by(const wire::CallReply& seen, int buffer, std::size_t bytes,
                           std::size_t launch);

/// Whether the host copies a buffer to another one, or writes one between two launches.
bool moves_data(const wire::CallReply& seen);

/// Says so if the host has read back `expected` in the last call, but returns something else; "" if it has
/// not, or if that is too long to know.
std::string returns_another(const grader::Case& test, std::span<const double> expected);

/// The first way in which launch number `launch` of the call differs from `needs`.
std::optional<grader::KnownMistake> find_mistake(const wire::CallReply& seen, std::size_t launch,
                                                 const Needs& needs);

/// A mistake in launch number `launch` of the call, with that number in its text.
grader::KnownMistake in_launch(std::size_t launch, grader::KnownMistake mistake);

/// A scan on several levels: groups are scanned, then their sums, and offsets are added.
struct LevelScan {
    std::string scan_kernel;
    std::string add_kernel;
    std::size_t n = 0;
    std::size_t group = 0;    ///< work-items
    std::size_t per_item = 1; ///< elements that a work-item takes
    std::size_t element_bytes = sizeof(float);
    bool is_exclusive = false;
    bool is_read_back = false; ///< after its last launch, the host reads the result
};

/// The first mistake in the launches number `begin` to `end` - 1, which make the scan. Nothing but
/// launches may move its data.
std::optional<grader::KnownMistake> find_mistake_in_levels(const wire::CallReply& seen,
                                                           std::size_t begin, std::size_t end,
                                                           const LevelScan& scan);

} // namespace hosts
