#pragma once

#include "bench/labs.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class Kind { reduction, scan, copy };

std::string name_of(Kind kind);

/// Returns the least bytes that must move per element: read once, and written once if there is a
/// result for each element.
std::size_t bytes_per_element(Kind kind);

/// One sum, or as many elements as the input has.
using Result = std::shared_ptr<const std::vector<float>>;

/// One way to compute a sum or a scan.
struct Variant {
    std::string name;
    Kind kind;
    std::string kernels;                       ///< the text of the kernels, "" without a device
    std::vector<std::size_t> work_group_sizes; ///< to be tried; {0} without a device
    bool is_exclusive;                         ///< a scan in which result i leaves out element i
    std::function<Result(const std::vector<float>& input, std::size_t work_group_size)> run;
    std::string missing = {}; ///< what the device lacks for it, or ""
};

/// Returns all variants. Those on the device use the `work_group_sizes` that it allows, and their
/// own.
std::vector<Variant> make_variants(const Workshop& workshop,
                                   const std::vector<std::size_t>& work_group_sizes);

/// Returns the error of a result, relative to a reference in double.
double error_of(const Variant& variant, const std::vector<float>& input, const Result& result);

// The baselines on the processor, without OpenCL (cpu.cpp).
float loop_sum(const std::vector<float>& input);    ///< one accumulator
float reduce_sum(const std::vector<float>& input);  ///< std::reduce
float threads_sum(const std::vector<float>& input); ///< the same on all cores
void loop_scan(const std::vector<float>& input, std::vector<float>& result); ///< one loop
void library_scan(const std::vector<float>& input,
                  std::vector<float>& result); ///< std::inclusive_scan

} // namespace bench
