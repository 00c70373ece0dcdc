#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace labgrind::vm {

/// Whether other work-items may see what `instruction` writes to global memory later than what its
/// work-item writes after it: an atomic operation whose result is not used, or a volatile store.
bool may_be_late(const ir::Instruction& instruction);

/// The writes of one work-item that no other one sees yet. OpenCL 1.2 orders atomic operations on
/// different words only at a fence: until then, each may take effect at any time.
class LateWrites {
  public:
    bool empty() const { return writes_.empty(); }

    /// Executes the next instruction of `item`, and keeps what it writes from the others.
    void step(WorkItem& item);

    /// Whether the writes take effect before `next`: it is a fence, or uses one of the words.
    bool end_before(const WorkItem& item, const ir::Instruction& next) const;

    /// All of them take effect.
    void settle(Memory& global_memory);

  private:
    struct Write {
        Address address = 0;
        std::size_t size = 0;
        std::uint64_t value = 0;
        bool adds = false; ///< `value` is a difference
    };

    bool overlap(Address address, std::size_t size) const;

    std::vector<Write> writes_;
};

} // namespace labgrind::vm
