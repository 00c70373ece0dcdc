#include "runner/stopwatch.hpp"

#include <chrono>
#include <utility>

namespace runner {

KeptContents::KeptContents(cl::CommandQueue queue, const std::vector<cl::Buffer>& buffers)
    : queue_(std::move(queue)) {
    for (const cl::Buffer& buffer : buffers) {
        const auto size = buffer.getInfo<CL_MEM_SIZE>();
        const cl::Buffer copy(buffer.getInfo<CL_MEM_CONTEXT>(), CL_MEM_READ_WRITE, size);
        queue_.enqueueCopyBuffer(buffer, copy, 0, 0, size);
        kept_.push_back({buffer, copy, size});
    }
    queue_.finish();
}

void KeptContents::restore() const {
    for (const Kept& kept : kept_)
        queue_.enqueueCopyBuffer(kept.copy, kept.buffer, 0, 0, kept.size);
    queue_.finish();
}

Stopwatch::Stopwatch(Workplace& workplace, const wire::Baseline& baseline, int rounds,
                     double seconds, wire::CallReply& reply)
    : workplace_(workplace), baseline_(baseline), rounds_(static_cast<std::size_t>(rounds)),
      seconds_(seconds), reply_(reply) {
    if (baseline.kernel.empty())
        return;
    kernel_ = workplace.prepare(baseline);
    time_baseline(); // the first call does the one-time work
}

void Stopwatch::time(const Relaunch& launch) {
    const bool has_baseline = reply_.function_times.empty() && kernel_() != nullptr;
    const auto start = std::chrono::steady_clock::now();
    const auto is_over = [&] {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        return seconds_ > 0 && elapsed.count() >= seconds_;
    };
    std::vector<std::uint64_t> times;
    std::vector<std::uint64_t> baseline_times;
    for (std::size_t round = 0; round < rounds_ && (round == 0 || !is_over()); ++round) {
        times.push_back(duration(launch()));
        if (has_baseline) {
            baseline_times.push_back(time_baseline());
            baseline_times.push_back(time_baseline());
        }
        times.push_back(duration(launch()));
    }
    rounds_ = times.size() / 2;
    wire::add_times(reply_, times, baseline_times);
}

} // namespace runner
