#pragma once

#include "labgrind/contention.hpp"
#include "labgrind/findings.hpp"
#include "labgrind/group.hpp"
#include "labgrind/instructions.hpp"
#include "labgrind/locks.hpp"
#include "labgrind/names.hpp"
#include "labgrind/races.hpp"
#include "labgrind/waits.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace labgrind {

/// Puts what is wrong with a launch into a student's words.
class Reports {
  public:
    Reports(const Names& names, const Instructions& instructions, const Locks& locks,
            const Group& group, std::string kernel);

    const Findings& findings() const { return findings_; }
    void add(const wire::Finding& finding) { findings_.add(finding); }
    void add(const char* kind, int line, int other_line, const std::string& message);

    /// `now`, an access to what is called `name`, conflicts with `earlier`.
    wire::Finding race(const Access& earlier, const Access& now, const std::string& name,
                       bool local) const;
    /// Reports the fences that two accesses lack which were made under the same lock, or that the
    /// lock was released by a store; whether there is any such thing.
    bool add_fences(const Access& earlier, const Access& now, bool local);
    void add_bounds(const vm::Memory& memory, const Item& item, const ir::Instruction* instruction,
                    vm::Address address, std::size_t size, bool write);
    /// An index of a dimension with this length lies outside of it.
    void add_index(const Item& item, const ir::Instruction* instruction, bool write,
                   std::int64_t index, std::int64_t length);
    /// The same for an asynchronous copy.
    void add_copy_bounds(const vm::Memory& memory, vm::Address address, std::size_t size,
                         bool write);
    /// A value without a meaning was used at `line`; `use` says what for.
    void add_undefined(const Item& item, const Undefined& undefined, int line, const char* use);
    /// An atomic operation goes by a word called `name` that nobody has ever written.
    void add_unwritten(const Item& item, int line, const std::string& name);
    /// `name` is read, of a buffer that is not to be read.
    void add_forbidden_read(int line, const std::string& name);
    /// The group's work-items in `away` are not where those in `here` wait for them.
    void add_divergence(const std::vector<std::uint32_t>& here,
                        const std::vector<std::uint32_t>& away);
    void add_endless(const Item& item, const ir::Instruction* instruction,
                     const Contention& contention);
    void add_endless_meetings();
    /// What is wrong with locks as a whole, at the end of the launch.
    void add_locks();
    /// Work-items of a warp that wait for each other, unless they have been told as such at a lock.
    void add_hang(const Waits& waits);

  private:
    wire::Finding finding(const char* kind, int line, int other_line,
                          const std::string& message) const;
    /// "work-item 3 of group 1", or the copy that made an access.
    std::string doer(const Access& access) const;
    /// The same where the group has been told.
    std::string doer_of_group(const Access& access) const;
    int line_of_site(std::uint32_t site) const { return instructions_.line_of_site(site); }

    const Names& names_;
    const Instructions& instructions_;
    const Locks& locks_;
    const Group& group_;
    std::string kernel_;
    Findings findings_;
};

} // namespace labgrind
