#include "grader/failed_calls.hpp"

#include <cstring>
#include <doctest/doctest.h>

using grader::describe_call;
using wire::FailedCall;
using Reason = FailedCall::Reason;
using Request = FailedCall::Request;

namespace {

FailedCall of_kernel(FailedCall call, const char* kernel) {
    wire::set_name(call.kernel, kernel);
    return call;
}

} // namespace

TEST_CASE("a failed launch is described with its sizes and the reason") {
    FailedCall launch = of_kernel({.request = Request::launch,
                                   .global_size = {100, 2, 1},
                                   .work_group_size = {64, 1, 1},
                                   .local_memory = 256},
                                  "sum");
    CHECK(describe_call(launch) ==
          "kernel sum, global size 100 x 2, work-group size 64, 256 bytes of local memory passed "
          "as arguments; the global size, 100, must be a multiple of the work-group size, 64: it "
          "is the number of all work-items, groups * work-group size, such as 128");
    FailedCall of_groups = launch;
    of_groups.global_size = {2, 1, 1};
    CHECK(describe_call(of_groups).ends_with("such as 64, or 128 if 2 is the number of groups"));
    launch.reason = Reason::argument_not_set;
    launch.index = 1;
    launch.limit = 3;
    CHECK(grader::reason_of(launch) == "argument 1 is not set yet: the kernel has 3 arguments");
    launch.work_group_size = {0, 0, 0};
    launch.reason = Reason::unknown;
    CHECK(describe_call(launch) ==
          "kernel sum, global size 100 x 2, work-group size left to OpenCL, 256 "
          "bytes of local memory passed as arguments");
}

TEST_CASE("a failed transfer is described with what does not fit") {
    CHECK(describe_call({.request = Request::transfer,
                         .offset = 8,
                         .size = 16,
                         .limit = 1,
                         .has_pointer = 1}) == "16 bytes at offset 8 of a buffer of 1 byte");
    CHECK(describe_call({.request = Request::transfer,
                         .offset = 32,
                         .size = 224,
                         .limit = 32,
                         .has_pointer = 1}) ==
          "224 bytes at offset 32 of a buffer of 32 bytes; it begins where the buffer ends: is the "
          "buffer too small?");
    CHECK(describe_call({.request = Request::transfer, .size = ~std::uint64_t{3}, .limit = 64}) ==
          "18446744073709551612 bytes at offset 0 of a buffer of 64 bytes; the host pointer is "
          "null, like that of an empty vector; such a large number is a negative number that "
          "wrapped around: a subtraction went below 0");
    const wire::FailedCall below{.request = Request::transfer,
                                 .offset = 1024,
                                 .size = ~std::uint64_t{767},
                                 .limit = 256,
                                 .has_pointer = 1};
    const std::string wraps = "18446744073709550848 bytes at offset 1024 of a buffer of 256 bytes; "
                              "such a large number is a negative number that wrapped around: the "
                              "size is 256 - 1024, ";
    CHECK(describe_call(below) == wraps +
                                      "because the offset lies beyond the end of the buffer: is "
                                      "the buffer too small, or the offset too large?");
    wire::FailedCall fewer = below;
    fewer.limit = 2048;
    CHECK(describe_call(fewer).find("the size is 256 - 1024, which is below 0") !=
          std::string::npos);
    CHECK(describe_call({.request = Request::transfer,
                         .size = 12,
                         .limit = 12,
                         .pattern_size = 8,
                         .has_pointer = 1}) ==
          "12 bytes at offset 0 of a buffer of 12 bytes; both are in bytes, and must be multiples "
          "of the size of the pattern, the second argument: 8 bytes: is the pattern a double, such "
          "as 0.0? 0.0f is a float of 4 bytes");
    CHECK(describe_call({.request = Request::transfer,
                         .size = 16,
                         .limit = 16,
                         .pattern_size = 8,
                         .has_pointer = 1}) == "16 bytes at offset 0 of a buffer of 16 bytes");
    CHECK(describe_call({.reason = Reason::short_input, .size = 8, .limit = 4}) ==
          "8 bytes from the input `data`, which has only 4 bytes: copy fewer bytes, or copy from a "
          "vector that has been padded");
}

TEST_CASE("a failed buffer, argument, or kernel is described") {
    CHECK(
        describe_call({.request = Request::buffer}) ==
        "a buffer of 0 bytes: which factor of its size is 0 for this input, such as the size of a "
        "vector, or a number of groups that was rounded down?");
    CHECK(describe_call({.request = Request::buffer, .size = 4, .has_pointer = 1}) ==
          "a buffer of 4 bytes with a host pointer, but without CL_MEM_COPY_HOST_PTR");
    CHECK(describe_call({.request = Request::buffer, .size = 4, .needs_pointer = 1}) ==
          "a buffer of 4 bytes with CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR, but without a "
          "host pointer");
    const FailedCall argument{.request = Request::argument, .index = 3, .size = 64, .limit = 3};
    CHECK(describe_call(of_kernel(argument, "sum")) ==
          "argument 3 of kernel sum (local memory, 64 bytes); the kernel has arguments 0 to 2");
    CHECK(describe_call(of_kernel({.request = Request::kernel}, "summ")) == "kernel name summ");
}

TEST_CASE("a call that nothing is known of, or that is forged, is described safely") {
    CHECK(describe_call({}).empty());
    FailedCall forged;
    std::memset(static_cast<void*>(&forged), 0xFF, sizeof forged);
    CHECK(describe_call(forged).empty());
    forged.request = Request::launch;
    forged.reason = Reason::failed_in_executor;
    CHECK(describe_call(forged).size() < 1000);
}
