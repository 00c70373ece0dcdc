#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace labgrind {

/// Notes what each group has last read from each word of global memory, and which pieces of memory have
/// atomic operations.
class LastReads final : public vm::Watcher {
  public:
    using Words = std::map<std::pair<std::size_t, vm::Address>, std::uint32_t>;

    /// By group and address.
    const Words& words() const { return words_; }
    bool has_atomics(vm::Address address) const {
        return atomic_pieces_.contains(ir::buffer_of(address));
    }

    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t size) override {
        if (memory.space() == ir::global_space && size == sizeof(std::uint32_t) &&
            memory.is_valid(address, size))
            words_[{item.group().number(), address}] =
                static_cast<std::uint32_t>(memory.number_at(address, size));
    }
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                   std::size_t size) override {
        on_load(item, memory, address, size);
        if (memory.space() == ir::global_space)
            atomic_pieces_.insert(ir::buffer_of(address));
    }

  private:
    Words words_;
    std::set<std::uint32_t> atomic_pieces_;
};

} // namespace labgrind
