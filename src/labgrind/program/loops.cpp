#include "labgrind/program/loops.hpp"

#include "labgrind/program/instructions.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace labgrind {

using ir::Opcode;
using Blocks = std::vector<const ir::Block*>;
using Calls = std::vector<const ir::Instruction*>;
using Place = std::pair<int, int>; // line and column; 0: unknown

// --- dominators -------------------------------------------------------------------------------------

/// The reachable blocks of a function and their dominators: by Cooper, Harvey and Kennedy, "A
/// Simple, Fast Dominance Algorithm".
class Flow {
  public:
    explicit Flow(const ir::Function& function);

    /// The reachable blocks in reverse postorder.
    const Blocks& blocks() const { return order_; }
    /// Only reachable ones.
    const Blocks& predecessors(const ir::Block* block) const {
        return predecessors_[block->number];
    }
    /// Whether all paths to `other` lead through `block`.
    bool dominates(const ir::Block* block, const ir::Block* other) const;

  private:
    static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

    void order_blocks(const ir::Function& function);
    void find_dominators();
    std::size_t dominator_of_both(std::size_t a, std::size_t b) const;

    Blocks order_;
    std::vector<std::size_t> places_;     ///< in that order, by block
    std::vector<Blocks> predecessors_;    ///< by block
    std::vector<std::size_t> dominators_; ///< the place of the immediate dominator, by place
};

Flow::Flow(const ir::Function& function)
    : places_(function.blocks.size(), unknown), predecessors_(function.blocks.size()) {
    order_blocks(function);
    for (std::size_t place = 0; place < order_.size(); ++place)
        places_[order_[place]->number] = place;
    for (const ir::Block* block : order_) {
        for (const ir::Block* next : block->successors())
            predecessors_[next->number].push_back(block);
    }
    find_dominators();
}

/// Orders the blocks in reverse postorder of a depth-first search.
void Flow::order_blocks(const ir::Function& function) {
    std::vector<bool> seen(function.blocks.size());
    std::vector<std::pair<const ir::Block*, std::size_t>> path; // with the successor to take next
    const auto enter = [&](const ir::Block* block) {
        seen[block->number] = true;
        path.emplace_back(block, 0);
    };
    enter(function.blocks.front());
    while (!path.empty()) {
        auto& [block, next] = path.back();
        if (next == block->successors().size()) {
            order_.push_back(block);
            path.pop_back();
        } else if (const ir::Block* successor = block->successors()[next++];
                   !seen[successor->number]) {
            enter(successor);
        }
    }
    std::ranges::reverse(order_);
}

void Flow::find_dominators() {
    dominators_.assign(order_.size(), unknown);
    dominators_[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t place = 1; place < order_.size(); ++place) {
            std::size_t found = unknown;
            for (const ir::Block* before : predecessors(order_[place])) {
                const std::size_t one = places_[before->number];
                if (dominators_[one] != unknown)
                    found = found == unknown ? one : dominator_of_both(found, one);
            }
            changed = changed || dominators_[place] != found;
            dominators_[place] = found;
        }
    }
}

std::size_t Flow::dominator_of_both(std::size_t a, std::size_t b) const {
    while (a != b) {
        std::size_t& later = a > b ? a : b;
        later = dominators_[later];
    }
    return a;
}

bool Flow::dominates(const ir::Block* block, const ir::Block* other) const {
    const std::size_t place = places_[block->number];
    std::size_t at = places_[other->number];
    while (at > place)
        at = dominators_[at];
    return at == place;
}

// --- loops ------------------------------------------------------------------------------------------

/// A natural loop: all back edges to one head, and the blocks on their paths.
struct Loop {
    const ir::Block* head = nullptr;
    Blocks latches;           ///< the blocks that jump back to the head
    std::vector<bool> inside; ///< by block
    std::size_t size = 0;     ///< blocks inside
    const Loop* around = nullptr;
    bool counts = false; ///< it may end because a variable has been counted up or down
    /// Its place in the source; unknown for loops made with goto.
    Place begin{0, 0};
    Place end{0, 0};

    bool contains(const ir::Block* block) const { return inside[block->number]; }
    bool contains(const ir::Instruction* instruction) const { return contains(instruction->block); }
};

namespace {

/// The loop whose head is `head`, or one without latches.
Loop find_loop(const Flow& flow, const ir::Block* head) {
    Loop loop;
    loop.head = head;
    for (const ir::Block* before : flow.predecessors(head)) {
        if (flow.dominates(head, before))
            loop.latches.push_back(before);
    }
    loop.inside.resize(head->function->blocks.size());
    loop.inside[head->number] = true;
    Blocks rest = loop.latches;
    loop.size = 1;
    while (!rest.empty()) {
        const ir::Block* block = rest.back();
        rest.pop_back();
        if (loop.contains(block))
            continue;
        loop.inside[block->number] = true;
        ++loop.size;
        const Blocks& more = flow.predecessors(block);
        rest.insert(rest.end(), more.begin(), more.end());
    }
    return loop;
}

/// Finds its place in the source: all of its latches must agree.
void locate(Loop& loop) {
    const auto begin = [](const ir::Block* latch) {
        return Place(latch->loop_begin_line, latch->loop_begin_column);
    };
    const auto end = [](const ir::Block* latch) {
        return Place(latch->loop_end_line, latch->loop_end_column);
    };
    const ir::Block* first = loop.latches.front();
    if (!std::ranges::all_of(loop.latches, [&](const ir::Block* latch) {
            return begin(latch) == begin(first) && end(latch) == end(first);
        }))
        return;
    loop.begin = begin(first);
    loop.end = end(first);
}

/// Whether `user` stores in `variable` what it has computed from the variable's value, as i /= 2 does.
bool is_step(const ir::Instruction* user, const ir::Instruction* variable) {
    if (user->opcode != Opcode::store || user->operands[1] != variable)
        return false;
    const ir::Instruction* step = ir::as_instruction(user->operands[0]);
    return step != nullptr && step->opcode >= Opcode::add && step->opcode <= Opcode::bit_xor &&
           std::ranges::any_of(step->operands, [&](const ir::Value* operand) {
               const ir::Instruction* load = ir::as(operand, Opcode::load);
               return load != nullptr && load->operands[0] == variable;
           });
}

/// Whether `variable` goes up or down by steps in `loop`.
bool is_counter(const Loop& loop, const ir::Instruction* variable) {
    return std::ranges::any_of(variable->users, [&](const ir::Instruction* user) {
        return is_step(user, variable) && loop.contains(user);
    });
}

/// Whether `value` is the value of a counter of `loop`.
bool reads_counter(const Loop& loop, const ir::Value* value) {
    const ir::Instruction* load = ir::as(value, Opcode::load);
    const ir::Instruction* variable =
        load == nullptr ? nullptr : ir::as(load->operands[0], Opcode::allocate);
    return variable != nullptr && is_counter(loop, variable);
}

/// Whether the branch at the end of `block`, in `loop`, depends on a counter of `loop`.
bool decides_by_counter(const Loop& loop, const ir::Block* block) {
    std::vector<const ir::Value*> values{&block->last()};
    for (std::size_t i = 0; i < values.size(); ++i) { // grows as it goes
        const ir::Instruction* instruction = ir::as_instruction(values[i]);
        if (instruction == nullptr || instruction->block == nullptr || !loop.contains(instruction))
            continue;
        if (reads_counter(loop, instruction))
            return true;
        if (instruction->opcode == Opcode::load || instruction->opcode == Opcode::call)
            continue;
        for (const ir::Value* operand : instruction->operands) {
            if (std::ranges::find(values, operand) == values.end())
                values.push_back(operand);
        }
    }
    return false;
}

/// Whether `from` can leave `loop`.
bool leads_out(const Loop& loop, const ir::Instruction& from) {
    return std::ranges::any_of(from.successors,
                               [&](const ir::Block* next) { return !loop.contains(next); });
}

bool is_counted(const Loop& loop) {
    const Blocks& blocks = loop.head->function->blocks;
    return std::ranges::any_of(blocks, [&](const ir::Block* block) {
        return loop.contains(block) && leads_out(loop, block->last()) &&
               decides_by_counter(loop, block);
    });
}

} // namespace

struct Loops::Function {
    explicit Function(const ir::Function& of);

    /// The innermost loop around a block, or null.
    const Loop* around(const ir::Block* block) const { return innermost[block->number]; }
    /// Whether `branch` decides if `other` is executed.
    bool decides(const ir::Instruction& branch, const ir::Block* other) const;

    const ir::Function* function;
    Flow flow;
    std::vector<Loop> loops; ///< outer ones before inner ones
    std::vector<const Loop*> innermost;
};

Loops::Function::Function(const ir::Function& of)
    : function(&of), flow(of), innermost(of.blocks.size()) {
    for (const ir::Block* block : flow.blocks()) {
        Loop loop = find_loop(flow, block);
        if (!loop.latches.empty())
            loops.push_back(std::move(loop));
    }
    // Two loops are nested or disjoint.
    std::ranges::stable_sort(loops, [](const Loop& a, const Loop& b) { return a.size > b.size; });
    for (Loop& loop : loops) {
        loop.around = around(loop.head);
        for (const ir::Block* block : of.blocks) {
            if (loop.contains(block))
                innermost[block->number] = &loop;
        }
        loop.counts = is_counted(loop);
        locate(loop);
    }
}

bool Loops::Function::decides(const ir::Instruction& branch, const ir::Block* other) const {
    return std::ranges::any_of(branch.successors, [&](const ir::Block* next) {
        return flow.predecessors(next).size() == 1 && flow.dominates(next, other);
    });
}

Loops::Loops() = default;
Loops::~Loops() = default;

const Loops::Function& Loops::of(const ir::Function* function) {
    functions_.resize(std::max(functions_.size(), function->number + 1));
    std::unique_ptr<Function>& known = functions_[function->number];
    if (!known)
        known = std::make_unique<Function>(*function);
    return *known;
}

// --- around instructions ----------------------------------------------------------------------------

namespace {

std::uint64_t hash_of(const void* pointer) { return std::hash<const void*>{}(pointer); }

/// Calls `visit` with `instruction` and each call that led to it, innermost first, and with a
/// number for the calls that led there.
template <class Visit>
void for_each_frame(const ir::Instruction* instruction, const Calls& calls, const Visit& visit) {
    const ir::Instruction* at = instruction;
    for (std::size_t depth = calls.size() + 1; depth-- > 0;) {
        std::uint64_t calls_hash = 0;
        for (std::size_t i = 0; i < depth; ++i)
            calls_hash = calls_hash * hash_factor + hash_of(calls[i]);
        visit(at, calls_hash * hash_factor);
        if (depth > 0)
            at = calls[depth - 1];
    }
}

} // namespace

std::vector<std::uint64_t> Loops::around(const ir::Instruction* instruction, const Calls& calls) {
    std::vector<std::uint64_t> found;
    for_each_frame(instruction, calls, [&](const ir::Instruction* at, std::uint64_t calls_hash) {
        for (const ir::Block* head : heads_around(at))
            found.push_back(calls_hash + hash_of(head));
    });
    return found;
}

std::uint64_t Loops::spin_around(const ir::Instruction* instruction, const Calls& calls) {
    std::uint64_t found = 0;
    bool looking = true;
    for_each_frame(instruction, calls, [&](const ir::Instruction* at, std::uint64_t calls_hash) {
        if (!looking)
            return;
        const Loop* loop = of(at->block->function).around(at->block);
        if (loop == nullptr)
            return;
        looking = false;
        found = loop->counts ? 0 : calls_hash + hash_of(loop->head);
    });
    return found;
}

std::vector<std::uint64_t> Loops::enclosing_loops(const ir::Instruction* instruction,
                                                  const Calls& calls) {
    std::vector<std::uint64_t> found;
    for_each_frame(instruction, calls, [&](const ir::Instruction* at, std::uint64_t calls_hash) {
        const Place here(at->line, at->column);
        for (const Loop& loop : of(at->block->function).loops) {
            const bool between = loop.begin.first != 0 && loop.begin < here && here < loop.end;
            if (between || loop.contains(at))
                found.push_back(calls_hash + hash_of(loop.head));
        }
    });
    return found;
}

std::optional<bool> Loops::jump(const ir::Block* from, const ir::Block* to) {
    const Loop* loop = of(to->function).around(to);
    if (loop == nullptr || loop->head != to)
        return std::nullopt;
    return loop->contains(from);
}

std::vector<const ir::Block*> Loops::heads_around(const ir::Instruction* instruction) {
    std::vector<const ir::Block*> heads;
    const ir::Block* block = instruction->block;
    for (const Loop* loop = of(block->function).around(block); loop != nullptr; loop = loop->around)
        heads.push_back(loop->head);
    return heads;
}

std::optional<Loops::Condition> Loops::condition_around(const ir::Instruction* instruction) {
    const Loop* loop = of(instruction->block->function).around(instruction->block);
    if (loop == nullptr)
        return std::nullopt;
    std::vector<const ir::Instruction*> exits;
    for (const ir::Block* block : instruction->block->function->blocks) {
        if (loop->contains(block) && leads_out(*loop, block->last()))
            exits.push_back(&block->last());
    }
    Condition condition;
    if (exits.size() != 1 || exits.front()->operands.empty())
        return condition;
    condition.branch = exits.front();
    condition.reads = variables_behind(condition.branch->operands[0]);
    condition.is_fixed = !condition.reads.empty() &&
                         std::ranges::none_of(condition.reads, [&](const ir::Instruction* read) {
                             const auto& users = read->operands[0]->users;
                             return std::ranges::any_of(users, [&](const ir::Instruction* user) {
                                 return user->opcode != Opcode::load && loop->contains(user);
                             });
                         });
    return condition;
}

namespace {

bool is_branch(const ir::Instruction& instruction) {
    return instruction.opcode == Opcode::branch || instruction.opcode == Opcode::choose;
}

/// Whether `instruction` stores to a variable of the caller, through a pointer.
bool stores_for_caller(const ir::Instruction& instruction) {
    return instruction.opcode == Opcode::store &&
           instruction.operands[1]->type->space == ir::private_space &&
           variable_of(instruction.operands[1]) == nullptr;
}

} // namespace

bool decides_branch(const ir::Instruction& read) {
    const bool has_caller = !read.block->function->is_kernel;
    return std::ranges::any_of(users_of(&read), [&](const ir::Instruction* user) {
        const bool reaches_caller = user->opcode == Opcode::ret || stores_for_caller(*user);
        return is_branch(*user) || (has_caller && reaches_caller);
    });
}

bool asks_for_item(const ir::Value& value) {
    bool found = false;
    visit_sources(&value, [&](const ir::Value& source) {
        const ir::Instruction* call = ir::as(&source, Opcode::call);
        const std::string name =
            call == nullptr || call->callee == nullptr ? "" : call->callee->plain_name;
        found = found || name == "get_local_id" || name == "get_global_id";
        return !found;
    });
    return found;
}

namespace {

bool has_barrier(const Loop& loop) {
    return std::ranges::any_of(loop.head->function->blocks, [&](const ir::Block* block) {
        return loop.contains(block) &&
               std::ranges::any_of(block->instructions, [](const ir::Instruction* one) {
                   return one->opcode == Opcode::call && one->callee != nullptr && is_barrier(*one);
               });
    });
}

} // namespace

std::optional<Loops::SkippedStep> Loops::skipped_step(const ir::Instruction& variable) {
    const Function& function = of(variable.block->function);
    const std::vector<const ir::Instruction*> stores = stores_to(variable);
    for (const ir::Instruction* store : stores) {
        const Loop* loop = function.around(store->block);
        if (loop == nullptr || !is_step(store, &variable) || !has_barrier(*loop))
            continue;
        const bool is_in_each = std::ranges::all_of(loop->latches, [&](const ir::Block* latch) {
            return function.flow.dominates(store->block, latch);
        });
        const bool is_only_one = std::ranges::none_of(stores, [&](const ir::Instruction* other) {
            return other != store && loop->contains(other);
        });
        if (is_in_each || !is_only_one)
            continue;
        for (const ir::Block* block : function.flow.blocks()) {
            const ir::Instruction& last = block->last();
            if (is_branch(last) && loop->contains(block) && !leads_out(*loop, last) &&
                function.decides(last, store->block) && asks_for_item(*last.operands[0]))
                return SkippedStep{store, &last};
        }
    }
    return std::nullopt;
}

namespace {

/// Whether control can leave `innermost` or a loop around it at `branch`.
bool leaves_loop(const Loop* innermost, const ir::Instruction* branch) {
    for (const Loop* loop = innermost; loop != nullptr; loop = loop->around) {
        if (loop->contains(branch) && leads_out(*loop, *branch))
            return true;
    }
    return false;
}

bool is_cast(const ir::Value* value) {
    const ir::Instruction* cast = ir::as_instruction(value);
    return cast != nullptr && cast->opcode >= Opcode::trunc &&
           cast->opcode <= Opcode::addrspacecast;
}

/// Whether `compare` compares something with a counter of `loop`.
bool compares_counter(const Loop* loop, const ir::Instruction* compare) {
    return loop != nullptr && std::ranges::any_of(compare->operands, [&](const ir::Value* operand) {
               while (is_cast(operand))
                   operand = ir::as_instruction(operand)->operands[0];
               return reads_counter(*loop, operand);
           });
}

} // namespace

/// Whether what `read` returns decides if control leaves `innermost` or a loop around it: by data
/// flow to a branch that leaves the loop, or by branches that decide which other branches, stores
/// and phis are executed.
bool Loops::decides_end(const Loop* innermost, const ir::Instruction* read) {
    const Function& function = of(read->block->function);
    const Loop* outermost = innermost;
    while (outermost->around != nullptr)
        outermost = outermost->around;
    Worklist found(read);
    const auto follow_decided = [&](const ir::Instruction& branch, const ir::Instruction* one) {
        const auto is_decided = [&](const ir::Block* block) {
            return block == branch.block || function.decides(branch, block);
        };
        const auto& incoming = one->successors;
        if (one->opcode == Opcode::phi ? std::ranges::any_of(incoming, is_decided)
                                       : is_branch(*one) && function.decides(branch, one->block))
            found.add(one);
        else if (one->opcode == Opcode::store && function.decides(branch, one->block))
            found.add(variable_of(one->operands[1]));
    };
    while (const ir::Value* next = found.next()) {
        const ir::Instruction* instruction = ir::as_instruction(next);
        if (!is_branch(*instruction)) {
            for (const ir::Instruction* user : users_of(instruction)) {
                if (is_branch(*user) && outermost->contains(user))
                    found.add(user);
            }
            continue;
        }
        if (leaves_loop(innermost, instruction))
            return true;
        for (const ir::Block* block : function.flow.blocks()) {
            if (!outermost->contains(block))
                continue;
            for (const ir::Instruction* one : block->instructions)
                follow_decided(*instruction, one);
        }
    }
    return false;
}

bool Loops::is_ended_by(const ir::Instruction* read) {
    const auto known = ended_by_.find(read);
    if (known != ended_by_.end())
        return known->second;
    const ir::Function& function = *read->block->function;
    const Loop* loop = of(&function).around(read->block);
    // A condition that chooses the returned value reaches the caller just as the value itself does.
    const bool caller_decides = loop == nullptr && !function.is_kernel;
    const auto users = users_of(read);
    const bool ends = std::ranges::any_of(users, [&](const ir::Instruction* user) {
        return user->opcode == Opcode::ret || stores_for_caller(*user) ||
               (is_branch(*user) && caller_decides);
    });
    // A loop that counts up to the value that was read does not wait.
    const bool counts = std::ranges::any_of(users, [&](const ir::Instruction* user) {
        const bool compares = user->opcode == Opcode::icmp || user->opcode == Opcode::fcmp;
        return compares && compares_counter(loop, user);
    });
    return ended_by_[read] = !counts && (ends || (loop != nullptr && decides_end(loop, read)));
}

bool Loops::only_waits_around(const ir::Instruction* read) {
    const Loop* loop = of(read->block->function).around(read->block);
    if (loop == nullptr)
        return false;
    const auto [known, is_new] = only_wait_.try_emplace(loop, false);
    if (!is_new)
        return known->second;
    const auto does_something = [](const ir::Instruction* instruction) {
        return instruction->opcode == Opcode::store ||
               (instruction->opcode == Opcode::call &&
                (instruction->callee == nullptr ||
                 !instruction->callee->name.starts_with("llvm.dbg")));
    };
    const Blocks& blocks = loop->head->function->blocks;
    return known->second = std::ranges::none_of(blocks, [&](const ir::Block* block) {
               return loop->contains(block) &&
                      std::ranges::any_of(block->instructions, does_something);
           });
}

} // namespace labgrind
