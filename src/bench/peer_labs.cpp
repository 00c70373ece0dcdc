/// Labs 7 and 8, and the copy kernel. The labs' functions run as they are, but transfers of the
/// whole input and result are left out, so the data stays on the device.

#include "bench/opencl_peer.hpp"

namespace {

using bench::Contestant;
using lab7::Finish;

constexpr std::size_t most_for_lab3 = std::size_t{1} << 20U; // it copies its input in each call

/// Computes with all transfers, and then again on the data that is now on the device. Returns the
/// error of the second result.
template <class Compute, class Error>
Contestant lab(const std::string& name, const std::string& kind, std::size_t bytes, std::size_t n,
               const Compute& compute, const Error& error_of) {
    const std::size_t everything = n * sizeof(float);
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    compute();
    bench::watch().left_out_write = everything;
    const double error = error_of(compute());
    bench::watch().left_out_write = none;
    const auto sampled = bench::watched([=] {
        bench::watch().left_out_write = everything;
        bench::watch().left_out_read = everything;
        compute();
    });
    const auto run = [=](std::size_t calls) {
        const bench::Times times = sampled(calls);
        bench::watch().left_out_read = none; // the samples must be as accurate
        const double last = error_of(compute());
        bench::watch().left_out_write = none;
        if (!(last <= 2 * error + 1e-5))
            throw std::runtime_error(name +
                                     " has computed a wrong result, with a relative error of " +
                                     std::to_string(last));
        return times;
    };
    return {name, kind, bytes, error, run};
}

std::vector<Contestant> make_contestants(const bench::PeerOptions& options,
                                         const std::vector<float>& given) {
    const bench::Workshop workshop(options.root, options.device);
    bench::watch().keeps_buffers = true;
    const auto input = std::make_shared<const std::vector<float>>(given);
    const std::size_t n = input->size();
    bench::watch().waits_for_kernels = workshop.is_cpu() && n >= bench::long_enough_to_wait;
    const double sum = bench::sum_of(*input);
    const auto error_of_sum = [sum](float got) { return bench::relative_error(got, sum); };

    std::vector<Contestant> all;
    const Setup seventh = workshop.setup(7);
    const std::vector<std::pair<std::string, Finish>> finishes{
        {"tickets", Finish::tickets},
        {"last_group", Finish::last_group},
        {"compare_exchange", Finish::compare_exchange},
        {"lock", Finish::lock},
        {"host", Finish::host},
        {"kernels", Finish::kernels}};
    for (const auto& [name, finish] : finishes) {
        const std::size_t size = bench::tuned_group_size(workshop.device(), finish);
        const auto compute = [=, finish = finish] {
            return lab7::direct_sum(seventh, *input, size, finish);
        };
        all.push_back(lab("lab 7 " + name, "reduction", 4, n, compute, error_of_sum));
    }
    if (n <= most_for_lab3) {
        const Setup third = workshop.setup(3);
        const auto compute = [=] { return lab3::reduce(third, *input, Operator::sum, 64); };
        all.push_back(lab("lab 3", "reduction", 4, n, compute, error_of_sum));
    }

    const Setup eighth = workshop.setup(8);
    all.push_back(lab(
        "lab 8", "scan", 8, n, [=] { return lab8::scan_floats_tuned(eighth, *input); },
        [input](const std::vector<float>& got) { return bench::scan_error(*input, got); }));

    const Setup copying = workshop.setup(bench::copy_source, "-cl-std=CL1.2");
    const std::size_t bytes = n * sizeof(float);
    bench::watch().keeps_buffers =
        false; // these two stay in use, so the labs must not count on them
    const cl::Buffer from(copying.context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer to(copying.context, CL_MEM_WRITE_ONLY, bytes);
    copying.queue.enqueueWriteBuffer(from, CL_TRUE, 0, bytes, input->data());
    const std::size_t vectors = n / 4;
    const std::size_t copy_size =
        std::min<std::size_t>(workshop.device().getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(), 256);
    const auto copy = [=] {
        bench::copy(copying, from, to, n / 4 * 4, copy_size);
        copying.queue.finish();
    };
    copy();
    std::vector<float> copied(n);
    copying.queue.enqueueReadBuffer(to, CL_TRUE, 0, bytes, copied.data());
    const bool right =
        std::equal(copied.begin(), copied.begin() + static_cast<long>(vectors * 4), input->begin());
    all.push_back({"copy kernel", "copy", 8, right ? 0 : INFINITY, bench::watched(copy)});
    bench::watch().keeps_buffers = true;
    return all;
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
