#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace labgrind {

/// Notes who has last changed each word of global memory, and which word each work-item has last read.
class LastChanges final : public vm::Watcher {
  public:
    struct Change {
        std::size_t item = 0; ///< its number in the launch
        int line = 0;
        std::uint32_t value = 0;
    };
    /// A word that a work-item has last read, and its last change.
    struct Read {
        vm::Address address = 0;
        std::optional<Change> changed;
    };

    std::optional<Read> last_read_of(std::size_t item) const {
        const auto read = reads_.find(item);
        if (read == reads_.end())
            return std::nullopt;
        const auto change = changes_.find(read->second);
        return Read{read->second,
                    change == changes_.end() ? std::nullopt : std::optional(change->second)};
    }

    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t /*size*/) override {
        if (memory.space() == ir::global_space)
            reads_[item.number_in_launch()] = word_of(address);
    }
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                  const std::byte* data) override {
        for (std::size_t i = 0; memory.space() == ir::global_space && i + word <= size; i += word)
            changes_[word_of(address + i)] = change_by(item, data + i);
    }
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                   std::size_t size) override {
        on_load(item, memory, address, size);
        if (memory.space() == ir::global_space)
            before_ = vm::number_at(memory.at(word_of(address)), word);
    }
    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* /*result*/) override {
        const auto read = reads_.find(item.number_in_launch());
        if (instruction.atomic() == ir::Atomic::none || read == reads_.end())
            return;
        const std::byte* now = item.group().launch().global_memory().at(read->second);
        if (vm::number_at(now, word) != before_)
            changes_[read->second] = change_by(item, now);
    }

  private:
    static constexpr std::size_t word = sizeof(std::uint32_t);

    static vm::Address word_of(vm::Address address) { return address / word * word; }
    static Change change_by(const vm::WorkItem& item, const std::byte* value) {
        return {item.number_in_launch(), item.current()->line,
                static_cast<std::uint32_t>(vm::number_at(value, word))};
    }

    std::map<vm::Address, Change> changes_;
    std::map<std::size_t, vm::Address> reads_; ///< by work-item
    std::uint64_t before_ = 0; ///< in the word of the atomic operation that runs now
};

} // namespace labgrind
