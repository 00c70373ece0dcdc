/// CUB. Needs nvcc. CUDA's events enclose several calls in a row, so only the time that CUDA needs
/// between two calls counts in addition to the kernels.

#include "bench/peer.hpp"

#include <climits>
#include <cub/cub.cuh>
#include <memory>

namespace {

using bench::Contestant;
using bench::Times;

void check(cudaError_t error) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string("CUDA says: ") + cudaGetErrorString(error));
}

/// Memory on the device.
template <class T> std::shared_ptr<T> device_memory(std::size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(1, count) * sizeof(T)));
    return {static_cast<T*>(memory), cudaFree};
}

std::shared_ptr<CUevent_st> make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event));
    return {event, cudaEventDestroy};
}

/// Times calls that only enqueue. `finish` waits for a call, and fetches the result that the host needs.
template <class Enqueue, class Finish>
std::function<Times(std::size_t)> timed(const Enqueue& enqueue, const Finish& finish) {
    return [=, start = make_event(), end = make_event()](std::size_t calls) {
        const double wall = bench::seconds([&] {
            enqueue();
            finish();
        });
        check(cudaEventRecord(start.get()));
        for (std::size_t i = 0; i < calls; ++i)
            enqueue();
        check(cudaEventRecord(end.get()));
        check(cudaEventSynchronize(end.get()));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.get(), end.get()));
        return Times{milliseconds * 1e-3 / static_cast<double>(calls), wall};
    };
}

std::vector<Contestant> make_contestants(const bench::PeerOptions& options,
                                         const std::vector<float>& input) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        throw std::runtime_error("there is no CUDA device");
    if (options.n > INT_MAX)
        throw std::runtime_error("CUB needs fewer than 2^31 elements");
    const int n = static_cast<int>(options.n);
    const std::size_t bytes = input.size() * sizeof(float);
    const auto data = device_memory<float>(input.size());
    const auto scanned = device_memory<float>(input.size());
    const auto sum = device_memory<float>(1);
    check(cudaMemcpy(data.get(), input.data(), bytes, cudaMemcpyHostToDevice));

    std::size_t reduce_bytes = 0;
    std::size_t scan_bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, reduce_bytes, data.get(), sum.get(), n));
    check(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, data.get(), scanned.get(), n));
    const auto reduce_memory = device_memory<char>(reduce_bytes);
    const auto scan_memory = device_memory<char>(scan_bytes);

    const auto reduce = [=] {
        std::size_t size = reduce_bytes;
        check(cub::DeviceReduce::Sum(reduce_memory.get(), size, data.get(), sum.get(), n));
    };
    const auto scan = [=] {
        std::size_t size = scan_bytes;
        check(cub::DeviceScan::InclusiveSum(scan_memory.get(), size, data.get(), scanned.get(), n));
    };
    const auto copy = [=] {
        check(cudaMemcpyAsync(scanned.get(), data.get(), bytes, cudaMemcpyDeviceToDevice));
    };

    const auto got = std::make_shared<float>(0.0F);
    const auto fetch = [=] {
        check(cudaMemcpy(got.get(), sum.get(), sizeof(float), cudaMemcpyDeviceToHost));
    };
    const auto wait = [] { check(cudaDeviceSynchronize()); };
    reduce();
    fetch();
    scan();
    std::vector<float> result(input.size());
    check(cudaMemcpy(result.data(), scanned.get(), bytes, cudaMemcpyDeviceToHost));
    return {{"CUB DeviceReduce::Sum", "reduction", 4,
             bench::relative_error(*got, bench::sum_of(input)), timed(reduce, fetch)},
            {"CUB DeviceScan::InclusiveSum", "scan", 8, bench::scan_error(input, result), timed(scan, wait)},
            {"cudaMemcpy on the device", "copy", 8, 0, timed(copy, wait)}};
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
