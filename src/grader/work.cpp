#include "grader/work.hpp"

#include "grader/explain.hpp"

#include <map>
#include <sstream>
#include <string>

namespace grader {

wire::WorkCounts total_work(const std::vector<wire::WorkCounts>& work, const std::string& kernel) {
    wire::WorkCounts total;
    total.kernel = kernel;
    for (const wire::WorkCounts& one : work) {
        if (one.kernel != kernel)
            continue;
        const bool first = total.launches == 0;
        const bool busier = one.busiest_item_additions > total.busiest_item_additions;
        for (const wire::WorkCount& count : wire::work_counts) {
            std::uint64_t& sum = total.*count.value;
            const std::uint64_t added = one.*count.value;
            if (count.total == wire::Total::sum)
                sum += added;
            else if (first || (count.total == wire::Total::largest && added > sum) ||
                     (count.total == wire::Total::smallest && added < sum) ||
                     (count.total == wire::Total::of_busiest_item && busier))
                sum = added;
        }
        for (const auto& [line, additions] : one.additions_by_line)
            total.additions_by_line[line] += additions;
        for (const auto& [line, bytes] : one.global_bytes_loaded_by_line)
            total.global_bytes_loaded_by_line[line] += bytes;
    }
    return total;
}

namespace {

/// ", all at line 7", or ", 48 of them at line 7" if that line has more than half; "" if no line does.
std::string mostly_at(const std::map<int, std::uint64_t>& by_line, std::uint64_t all) {
    for (const auto& [line, count] : by_line) {
        if (line != 0 && 2 * count > all)
            return (count == all ? ", all" : ", " + std::to_string(count) + " of them") +
                   " at line " + std::to_string(line);
    }
    return "";
}

} // namespace

std::string show_work(const wire::WorkCounts& work) {
    std::ostringstream text;
    text << work.kernel << ": " << count_of(work.launches, "launch") << " of "
         << count_of(work.work_items, "work-item") << " in " << count_of(work.groups, "group")
         << "\n  additions            " << work.additions
         << mostly_at(work.additions_by_line, work.additions) << "  (one work-item makes at most "
         << work.busiest_item_additions << " of the " << work.busiest_group_additions
         << " additions of its group; span " << work.longest_span << ")"
         << "\n  barriers             " << work.barriers << "\n  local memory         "
         << work.local_loads << " loads, " << work.local_stores << " stores, "
         << work.bank_conflicts << " cycles lost to bank conflicts"
         << "\n  global memory        " << work.global_loads << " loads ("
         << work.global_bytes_loaded << " bytes"
         << mostly_at(work.global_bytes_loaded_by_line, work.global_bytes_loaded) << "), "
         << work.global_stores << " stores (" << work.global_bytes_stored << " bytes), "
         << work.transactions << " transactions of 128 bytes"
         << "\n  divergent branches   " << work.divergent_branches;
    return text.str();
}

} // namespace grader
