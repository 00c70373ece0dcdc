#include "grader/work.hpp"

#include "grader/explain.hpp"

#include <sstream>

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
    }
    return total;
}

std::string show_work(const wire::WorkCounts& work) {
    std::ostringstream text;
    text << work.kernel << ": " << count_of(work.launches, "launch") << " of "
         << count_of(work.work_items, "work-item") << " in " << count_of(work.groups, "group")
         << "\n  additions            " << work.additions << "  (one work-item makes at most "
         << work.busiest_item_additions << " of the " << work.busiest_group_additions
         << " additions of its group; span " << work.longest_span << ")"
         << "\n  barriers             " << work.barriers << "\n  local memory         "
         << work.local_loads << " loads, " << work.local_stores << " stores, "
         << work.bank_conflicts << " cycles lost to bank conflicts"
         << "\n  global memory        " << work.global_loads << " loads ("
         << work.global_bytes_loaded << " bytes), " << work.global_stores << " stores ("
         << work.global_bytes_stored << " bytes), " << work.transactions
         << " transactions of 128 bytes"
         << "\n  divergent branches   " << work.divergent_branches;
    return text.str();
}

} // namespace grader
