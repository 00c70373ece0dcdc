#include "labgrind/vm/counters.hpp"

#include <functional>
#include <limits>
#include <string_view>

namespace labgrind::vm {
namespace {

constexpr std::size_t needed = 3; ///< rounds that show whether the changes are steady

} // namespace

Counters::Variables Counters::read(const Memory& variables) {
    Variables values;
    for (std::size_t i = 1; i <= variables.pieces(); ++i) {
        const auto piece = static_cast<std::uint32_t>(i);
        const std::size_t size = variables.size_of(piece);
        const Address address = ir::address_of(piece);
        if (size == sizeof(std::int32_t)) {
            const auto bits = static_cast<std::uint32_t>(variables.number_at(address, size));
            values.push_back({size, static_cast<std::int32_t>(bits)});
        } else if (size == sizeof(std::int64_t)) {
            values.push_back({size, static_cast<std::int64_t>(variables.number_at(address, size))});
        } else {
            const std::string_view bytes(
                reinterpret_cast<const char*>(variables.at(address)), // NOLINT: bytes
                size);
            values.push_back({0, static_cast<std::int64_t>(std::hash<std::string_view>()(bytes))});
        }
    }
    return values;
}

void Counters::note(const Memory& variables) {
    if (rounds_.size() == needed)
        rounds_.erase(rounds_.begin());
    rounds_.push_back(read(variables));
}

bool Counters::are_steady() const {
    if (rounds_.size() < needed || rounds_[0].size() != rounds_[1].size() ||
        rounds_[1].size() != rounds_[2].size())
        return false;
    bool changes = false;
    for (std::size_t i = 0; i < rounds_[0].size(); ++i) {
        const Variable& first = rounds_[0][i];
        const Variable& second = rounds_[1][i];
        const Variable& third = rounds_[2][i];
        if (first == second && second == third)
            continue;
        std::int64_t step = 0;
        std::int64_t next = 0;
        if (first.size == 0 || first.size != second.size || second.size != third.size ||
            __builtin_sub_overflow(second.value, first.value, &step) ||
            __builtin_add_overflow(second.value, step, &next) || next != third.value)
            return false;
        changes = true;
    }
    return changes;
}

bool Counters::skip(Memory& variables, std::uint64_t rounds) const {
    const Variables& before = rounds_[needed - 2];
    Variables after = rounds_[needed - 1];
    for (std::size_t i = 0; i < after.size(); ++i) {
        Variable& variable = after[i];
        const std::int64_t limit = variable.size == sizeof(std::int32_t)
                                       ? std::numeric_limits<std::int32_t>::max()
                                       : std::numeric_limits<std::int64_t>::max();
        std::int64_t growth = 0;
        if (variable.size != 0 &&
            (__builtin_mul_overflow(variable.value - before[i].value, rounds, &growth) ||
             __builtin_add_overflow(variable.value, growth, &variable.value) ||
             variable.value > limit || variable.value < -limit))
            return false;
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Address address = ir::address_of(static_cast<std::uint32_t>(i + 1));
        if (after[i].size != 0)
            std::memcpy(variables.at(address), &after[i].value, after[i].size);
    }
    return true;
}

} // namespace labgrind::vm
