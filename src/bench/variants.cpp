#include "bench/variants.hpp"

#include "bench/problem.hpp"
#include "bench/watch.hpp"
#include "tuning.hpp"

#include <algorithm>
#include <array>

namespace bench {
namespace {

using Input = std::vector<float>;

Result one(float sum) { return std::make_shared<Input>(1, sum); }
Result many(Input values) { return std::make_shared<Input>(std::move(values)); }

/// Returns a scan into memory that is kept from call to call, as buffers on the device are.
template <class Scan> auto into_kept_memory(const Scan& scan) {
    return [scan, kept = std::make_shared<Input>()](const Input& input, std::size_t /*unused*/) {
        kept->resize(input.size());
        scan(input, *kept);
        return kept;
    };
}

std::vector<std::size_t> with(std::vector<std::size_t> sizes, std::size_t another) {
    if (std::ranges::find(sizes, another) == sizes.end())
        sizes.push_back(another);
    std::ranges::sort(sizes);
    return sizes;
}

class SmallerDevice {
  public:
    explicit SmallerDevice(std::size_t size) { watch().largest_work_group_size = size; }
    SmallerDevice(const SmallerDevice&) = delete;
    SmallerDevice& operator=(const SmallerDevice&) = delete;
    ~SmallerDevice() { watch().largest_work_group_size = std::numeric_limits<std::size_t>::max(); }
};

/// Lab 1 chooses the work-group size itself, so the device reports this size as its largest one.
float reduce_in_lab1(const Setup& setup, const Input& input, std::size_t work_group_size) {
    const SmallerDevice smaller(work_group_size);
    return lab1::reduce(setup, input, Operator::sum).value;
}

/// The float4 copy, with the same transfers as a scan.
Input copy_there_and_back(const Setup& setup, const Input& input, std::size_t work_group_size) {
    const std::size_t bytes = input.size() * sizeof(float);
    const cl::Buffer from(setup.context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer to(setup.context, CL_MEM_WRITE_ONLY, bytes);
    setup.queue.enqueueWriteBuffer(from, CL_FALSE, 0, bytes, input.data());
    copy(setup, from, to, input.size(), work_group_size);
    Input result(input.size());
    setup.queue.enqueueReadBuffer(to, CL_TRUE, 0, bytes, result.data());
    return result;
}

void add_labs(std::vector<Variant>& variants, const Workshop& workshop,
              const std::vector<std::size_t>& sizes) {
    const auto add = [&](int lab, const std::string& name, Kind kind,
                         const std::vector<std::size_t>& its_sizes, auto run) {
        const Setup setup = workshop.setup(lab);
        variants.push_back({name, kind, workshop.source(lab), its_sizes, lab == 5,
                            [setup, run](const Input& input, std::size_t work_group_size) {
                                return run(setup, input, work_group_size);
                            }});
    };
    add(1, "lab1", Kind::reduction, sizes, [](auto& setup, auto& input, std::size_t size) {
        return one(reduce_in_lab1(setup, input, size));
    });
    add(2, "lab2", Kind::reduction, sizes, [](auto& setup, auto& input, std::size_t size) {
        return one(lab2::reduce(setup, input, Operator::sum, size));
    });
    add(3, "lab3", Kind::reduction, sizes, [](auto& setup, auto& input, std::size_t size) {
        return one(lab3::reduce(setup, input, Operator::sum, size));
    });

    using lab7::Finish;
    constexpr std::array<std::pair<const char*, Finish>, 6> finishes{
        {{"lab7 last_group", Finish::last_group},
         {"lab7 tickets", Finish::tickets},
         {"lab7 host", Finish::host},
         {"lab7 kernels", Finish::kernels},
         {"lab7 lock", Finish::lock},
         {"lab7 compare_exchange", Finish::compare_exchange}}};
    for (const auto& [name, finish] : finishes) {
        const std::size_t tuned = tuned_group_size(workshop.device(), finish);
        add(7, name, Kind::reduction, with(sizes, tuned),
            [finish = finish](auto& setup, auto& input, std::size_t size) {
                return one(lab7::direct_sum(setup, input, size, finish));
            });
    }

    add(4, "lab4", Kind::scan, sizes, [](auto& setup, auto& input, std::size_t size) {
        return many(lab4::inclusive_scan(setup, input, size));
    });
    add(5, "lab5", Kind::scan, sizes, [](auto& setup, auto& input, std::size_t size) {
        return many(lab5::exclusive_scan(setup, input, size));
    });

    // A processor gets the same tile with each work-group size, a GPU the same number of elements
    // per work-item.
    const ScanSizes scan = scan_sizes(workshop.device());
    const bool is_cpu = workshop.is_cpu();
    add(8, "lab8", Kind::scan, with(sizes, scan.work_group_size),
        [scan, is_cpu](auto& setup, auto& input, std::size_t size) {
            const std::size_t tile = scan.work_group_size * scan.items;
            const std::size_t items = is_cpu ? std::max<std::size_t>(1, tile / size) : scan.items;
            return many(lab8::scan_floats(setup, input, size, items));
        });
}

/// Labs 1 and 4 with functions of OpenCL C 3.0 instead of their trees.
void add_group_functions(std::vector<Variant>& variants, const Workshop& workshop,
                         const std::vector<std::size_t>& sizes) {
    const auto add = [&](const std::string& functions, const std::string& feature,
                         const std::string& options) {
        const std::string source = workshop.source("src/bench/group_functions.cl");
        const bool is_there = workshop.has_feature(feature);
        const std::string missing =
            is_there ? "" : "it needs a device with OpenCL C 3.0 and " + feature;
        const Setup setup =
            is_there ? workshop.setup(source, "-cl-std=CL3.0 " + options) : workshop.setup();
        variants.push_back({"lab1 " + functions, Kind::reduction, source, sizes, false,
                            [setup](const Input& input, std::size_t size) {
                                return one(reduce_in_lab1(setup, input, size));
                            },
                            missing});
        variants.push_back({"lab4 " + functions, Kind::scan, source, sizes, false,
                            [setup](const Input& input, std::size_t size) {
                                return many(lab4::inclusive_scan(setup, input, size));
                            },
                            missing});
    };
    add("work_group", "__opencl_c_work_group_collective_functions", "-DWORK_GROUP_FUNCTIONS");
    add("sub_group", "__opencl_c_subgroups", "");
}

} // namespace

std::string name_of(Kind kind) {
    switch (kind) {
    case Kind::scan:
        return "scan";
    case Kind::copy:
        return "copy";
    default:
        return "reduction";
    }
}

std::size_t bytes_per_element(Kind kind) {
    return kind == Kind::reduction ? sizeof(float) : 2 * sizeof(float);
}

std::vector<Variant> make_variants(const Workshop& workshop,
                                   const std::vector<std::size_t>& sizes) {
    const std::size_t limit = workshop.device().getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    const Setup setup = workshop.setup(copy_source, "-cl-std=CL1.2");
    std::vector<Variant> variants{
        {"copy",
         Kind::copy,
         copy_source,
         {std::min<std::size_t>(limit, 256)},
         false,
         [setup](const Input& input, std::size_t size) {
             return many(copy_there_and_back(setup, input, size));
         }},
        {"cpu loop (sum)",
         Kind::reduction,
         "",
         {0},
         false,
         [](const Input& input, std::size_t /*unused*/) { return one(loop_sum(input)); }},
        {"cpu std::reduce",
         Kind::reduction,
         "",
         {0},
         false,
         [](const Input& input, std::size_t /*unused*/) { return one(reduce_sum(input)); }},
        {"cpu std::reduce (all cores)",
         Kind::reduction,
         "",
         {0},
         false,
         [](const Input& input, std::size_t /*unused*/) { return one(threads_sum(input)); }},
        {"cpu loop (scan)", Kind::scan, "", {0}, false, into_kept_memory(loop_scan)},
        {"cpu std::inclusive_scan", Kind::scan, "", {0}, false, into_kept_memory(library_scan)}};
    add_labs(variants, workshop, sizes);
    add_group_functions(variants, workshop, sizes);
    return variants;
}

double error_of(const Variant& variant, const std::vector<float>& input, const Result& result) {
    switch (variant.kind) {
    case Kind::copy:
        return *result == input ? 0 : INFINITY;
    case Kind::scan:
        return scan_error(input, *result, variant.is_exclusive);
    default:
        return relative_error(result->front(), sum_of(input));
    }
}

} // namespace bench
