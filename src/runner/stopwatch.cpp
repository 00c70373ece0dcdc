#include "runner/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
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
                     double seconds)
    : workplace_(workplace), baseline_(baseline), rounds_(static_cast<std::size_t>(rounds)),
      seconds_(seconds) {
    if (baseline.kernel.empty())
        return;
    kernel_ = workplace.prepare(baseline);
    time_baseline(); // the first one pays for what is done once
    baseline_times_.clear();
}

void Stopwatch::time_baseline() { baseline_times_.push_back(workplace_.time(kernel_, baseline_)); }

void Stopwatch::time(const Relaunch& launch) {
    const bool has_baseline = launch_times_.empty() && kernel_() != nullptr;
    const auto start = std::chrono::steady_clock::now();
    const auto is_over = [&] {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        return seconds_ > 0 && elapsed.count() >= seconds_;
    };
    std::vector<std::uint64_t> times;
    for (std::size_t round = 0; round < rounds_ && (round == 0 || !is_over()); ++round) {
        times.push_back(duration(launch()));
        if (has_baseline) {
            time_baseline();
            time_baseline();
        }
        times.push_back(duration(launch()));
    }
    rounds_ = times.size() / 2;
    launch_times_.resize(times.size());
    baseline_times_.resize(std::min(baseline_times_.size(), times.size()));
    std::transform(times.begin(), times.end(), launch_times_.begin(), launch_times_.begin(),
                   std::plus<>());
}

void Stopwatch::report(wire::CallReply& reply) const {
    reply.function_times = launch_times_;
    reply.baseline_times = baseline_times_;
}

} // namespace runner
