/// Boost.Compute. Needs libboost-dev.

#include "bench/opencl_peer.hpp"

#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/container/vector.hpp>

namespace {

namespace compute = boost::compute;
using bench::Contestant;

std::vector<Contestant> make_contestants(const bench::PeerOptions& options,
                                         const std::vector<float>& input) {
    const Setup setup = bench::Workshop(options.root, options.device).setup();
    const compute::context context(setup.context());
    const auto queue = std::make_shared<compute::command_queue>(setup.queue());
    const auto data = std::make_shared<compute::vector<float>>(input.begin(), input.end(), *queue);
    const auto scanned = std::make_shared<compute::vector<float>>(input.size(), context);
    const auto sum = std::make_shared<float>(0.0F);

    const auto reduce = [=] {
        compute::reduce(data->begin(), data->end(), sum.get(), compute::plus<float>(), *queue);
    };
    reduce();
    const double sum_error = bench::relative_error(*sum, bench::sum_of(input));

    const auto scan = [=] {
        compute::inclusive_scan(data->begin(), data->end(), scanned->begin(), *queue);
        queue->finish();
    };
    scan();
    std::vector<float> result(input.size());
    compute::copy(scanned->begin(), scanned->end(), result.begin(), *queue);
    return {{"Boost.Compute reduce", "reduction", 4, sum_error, bench::watched(reduce)},
            {"Boost.Compute inclusive_scan", "scan", 8, bench::scan_error(input, result),
             bench::watched(scan)}};
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
