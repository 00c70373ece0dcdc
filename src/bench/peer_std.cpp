/// std::reduce and std::inclusive_scan, on one core and with execution policies. Needs libtbb-dev.

#include "bench/peer.hpp"

#include <execution>
#include <memory>
#include <numeric>

namespace {

using bench::Contestant;
using Floats = std::vector<float>;

template <class Call> auto timed(const Call& call) {
    return bench::each([call] {
        const double wall = bench::seconds(call);
        return bench::Times{wall, wall};
    });
}

std::vector<Contestant> make_contestants(const bench::PeerOptions& /*options*/,
                                         const Floats& given) {
    const auto input = std::make_shared<const Floats>(given);
    const auto result = std::make_shared<Floats>(given.size());
    const auto sum = std::make_shared<volatile float>(0.0F); // so that no call is left out
    std::vector<Contestant> all;
    const auto add = [&](const std::string& name, const std::string& kind, std::size_t bytes,
                         double error, std::function<bench::Times(std::size_t)> run) {
        all.push_back({name, kind, bytes, error, std::move(run)});
    };
    const auto add_both = [&](const std::string& policy_name, const auto& policy) {
        const auto reduce = [=] { *sum = std::reduce(policy, input->begin(), input->end(), 0.0F); };
        reduce();
        add("std::reduce " + policy_name, "reduction", 4,
            bench::relative_error(*sum, bench::sum_of(given)), timed(reduce));
        const auto scan = [=] {
            std::inclusive_scan(policy, input->begin(), input->end(), result->begin());
        };
        scan();
        add("std::inclusive_scan " + policy_name, "scan", 8, bench::scan_error(given, *result),
            timed(scan));
    };
    add_both("seq", std::execution::seq);
    add_both("par", std::execution::par);
    add_both("par_unseq", std::execution::par_unseq);
    return all;
}

} // namespace

int main(int argc, char** argv) { return bench::compete(argc, argv, make_contestants); }
