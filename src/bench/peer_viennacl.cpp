/// ViennaCL. Needs libviennacl-dev.

#include "bench/opencl_peer.hpp"

#define VIENNACL_WITH_OPENCL
#include <viennacl/linalg/sum.hpp>
#include <viennacl/linalg/vector_operations.hpp>
#include <viennacl/ocl/backend.hpp>
#include <viennacl/vector.hpp>

namespace {

using bench::Contestant;
using Vector = viennacl::vector<float>;

std::vector<Contestant> make_contestants(const bench::PeerOptions& options,
                                         const std::vector<float>& input) {
    const Setup setup = bench::Workshop(options.root, options.device).setup();
    viennacl::ocl::setup_context(0, setup.context(), setup.device(), setup.queue());
    const auto data = std::make_shared<Vector>(input.size());
    const auto scanned = std::make_shared<Vector>(input.size());
    viennacl::fast_copy(input.begin(), input.end(), data->begin());

    const auto sum = std::make_shared<float>(0.0F);
    const auto reduce = [=] { *sum = viennacl::linalg::sum(*data); };
    reduce();
    const double sum_error = bench::relative_error(*sum, bench::sum_of(input));

    const auto scan = [=] {
        viennacl::linalg::inclusive_scan(*data, *scanned);
        setup.queue.finish();
    };
    scan();
    std::vector<float> result(input.size());
    viennacl::fast_copy(scanned->begin(), scanned->end(), result.begin());
    return {{"ViennaCL sum", "reduction", 4, sum_error, bench::watched(reduce)},
            {"ViennaCL inclusive_scan", "scan", 8, bench::scan_error(input, result),
             bench::watched(scan)}};
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
