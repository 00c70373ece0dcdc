/// CLBlast, which has a sum and no scan. Needs libclblast-dev.

#include "bench/opencl_peer.hpp"

#include <clblast.h>

namespace {

using bench::Contestant;

std::vector<Contestant> make_contestants(const bench::PeerOptions& options,
                                         const std::vector<float>& input) {
    const Setup setup = bench::Workshop(options.root, options.device).setup();
    const std::size_t n = input.size();
    const cl::Buffer data(setup.context, CL_MEM_READ_ONLY, n * sizeof(float));
    const cl::Buffer result(setup.context, CL_MEM_READ_WRITE, sizeof(float));
    setup.queue.enqueueWriteBuffer(data, CL_TRUE, 0, n * sizeof(float), input.data());
    const auto sum = std::make_shared<float>(0.0F);
    const auto reduce = [=] {
        cl_command_queue queue = setup.queue();
        const clblast::StatusCode status =
            clblast::Sum<float>(n, result(), 0, data(), 0, 1, &queue);
        if (status != clblast::StatusCode::kSuccess)
            throw std::runtime_error("CLBlast's Sum returned error " +
                                     std::to_string(static_cast<int>(status)));
        setup.queue.enqueueReadBuffer(result, CL_TRUE, 0, sizeof(float), sum.get());
    };
    reduce();
    return {{"CLBlast Sum", "reduction", 4, bench::relative_error(*sum, bench::sum_of(input)),
             bench::watched(reduce)}};
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
