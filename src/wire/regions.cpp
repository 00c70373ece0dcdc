#include "wire/regions.hpp"

#include <algorithm>
#include <iterator>

namespace wire {

std::vector<Region> regions_of(const KernelLaunch& launch) {
    std::vector<LaunchArgument> buffers;
    std::copy_if(
        launch.arguments.begin(), launch.arguments.end(), std::back_inserter(buffers),
        [](const auto& argument) { return argument.kind == LaunchArgument::Kind::buffer; });
    std::ranges::sort(buffers,
                      [](const auto& a, const auto& b) { return a.bytes.offset < b.bytes.offset; });
    std::vector<Region> regions;
    for (const LaunchArgument& argument : buffers) {
        if (regions.empty() || regions.back().end() <= argument.bytes.offset)
            regions.push_back({argument.bytes});
        Region& region = regions.back();
        region.bytes.size = std::max(region.end(), argument.bytes.offset + argument.bytes.size) -
                            region.bytes.offset;
        region.read_only = region.read_only && argument.read_only;
    }
    return regions;
}

} // namespace wire
