#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace labgrind {

/// Notes which two work-items have last changed each word of global memory, and which word each work-item has
/// last read.
class LastChanges final : public vm::Watcher {
  public:
    struct Change {
        std::size_t item = 0; ///< its number in the launch
        int line = 0;
        std::uint32_t value = 0;
    };
    /// A word that a work-item has last read.
    struct Read {
        vm::Address address = 0;
        std::optional<Change> by_another; ///< the last change by another work-item
        std::optional<Change> by_itself;  ///< its own change, if it is the last one
    };

    std::optional<Read> last_read_of(std::size_t item) const {
        const auto read = reads_.find(item);
        if (read == reads_.end())
            return std::nullopt;
        Read found{read->second, {}, {}};
        if (const auto word = changes_.find(read->second); word != changes_.end()) {
            const auto& [last, before] = word->second;
            const bool is_own = last.item == item;
            found.by_another = is_own ? before : last;
            found.by_itself = is_own ? std::optional(last) : std::nullopt;
        }
        return found;
    }

    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t /*size*/) override {
        if (memory.space() == ir::global_space)
            reads_[item.number_in_launch()] = word_of(address);
    }
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                  const std::byte* data) override {
        for (std::size_t i = 0; memory.space() == ir::global_space && i + word <= size; i += word)
            note_change(word_of(address + i), item, data + i);
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
            note_change(read->second, item, now);
    }

  private:
    static constexpr std::size_t word = sizeof(std::uint32_t);

    static vm::Address word_of(vm::Address address) { return address / word * word; }
    void note_change(vm::Address address, const vm::WorkItem& item, const std::byte* value) {
        const Change change{item.number_in_launch(), item.current()->line,
                            static_cast<std::uint32_t>(vm::number_at(value, word))};
        const auto [known, is_first] = changes_.try_emplace(address, Changes{change, {}});
        if (is_first)
            return;
        if (known->second.last.item != change.item)
            known->second.before = known->second.last;
        known->second.last = change;
    }

    /// The last change of a word, and the last one by another work-item.
    struct Changes {
        Change last;
        std::optional<Change> before;
    };

    std::map<vm::Address, Changes> changes_;
    std::map<std::size_t, vm::Address> reads_; ///< by work-item
    std::uint64_t before_ = 0; ///< in the word of the atomic operation that runs now
};

} // namespace labgrind
