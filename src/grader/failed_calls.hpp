#pragma once

#include "wire/journal.hpp"

#include <string>

/// Describes OpenCL calls that failed to students.
namespace grader {

/// The arguments of `call`, and why it fails if that is known: "16 bytes at offset 8 of a buffer of 16
/// bytes". The runner can forge all of it.
std::string describe_call(const wire::FailedCall& call);

/// Why it fails; "" if that is not known.
std::string reason_of(const wire::FailedCall& call);

} // namespace grader
