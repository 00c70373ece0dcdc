#include "runner/command_order.hpp"

#include "runner/real_calls.hpp"
#include "runner/thrown.hpp"

#include <algorithm>
#include <utility>

namespace runner {
namespace {

/// The most uses of a buffer that are remembered, and the most pairs that are reported.
constexpr std::size_t max_uses = 1024;
constexpr std::size_t max_found = 256;

template <class T> T info(cl_mem buffer, cl_mem_info name) {
    T value{};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): used for handles, too
    REAL_CALL(clGetMemObjectInfo)(buffer, name, sizeof(T), &value, nullptr);
    return value;
}

/// Returns the buffer that `buffer` is a part of, or `buffer` itself.
cl_mem whole_of(cl_mem buffer) {
    auto* const whole = info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
    return whole == nullptr ? buffer : whole;
}

bool covers(const wire::ByteRange& outer, const wire::ByteRange& inner) {
    return outer.offset <= inner.offset && inner.offset + inner.size <= outer.offset + outer.size;
}

bool is_user_event(cl_event event) {
    cl_command_type type = 0;
    return REAL_CALL(clGetEventInfo)(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr) ==
               CL_SUCCESS &&
           type == CL_COMMAND_USER;
}

} // namespace

bool CommandOrder::Past::has(Stamp stamp) const {
    const auto known = positions.find(stamp.chain);
    return known != positions.end() && known->second >= stamp.position;
}

bool CommandOrder::Past::has_all_of(const std::vector<Chain>& chains) const {
    for (std::uint32_t number = 0; number < chains.size(); ++number) {
        const std::uint32_t last = chains[number].length;
        if (last != 0 && !has({number, last}))
            return false;
    }
    return true;
}

void CommandOrder::Past::join(Stamp stamp) {
    std::uint32_t& position = positions[stamp.chain];
    position = std::max(position, stamp.position);
}

void CommandOrder::Past::join(const Past& other) {
    for (const auto& [chain, position] : other.positions)
        join({chain, position});
    gates.insert(other.gates.begin(), other.gates.end());
}

void CommandOrder::begin(cl_command_queue queue) {
    end();
    const std::lock_guard lock(mutex_);
    given_ = queue;
    watching_ = true;
}

void CommandOrder::end() {
    const std::lock_guard lock(mutex_);
    watching_ = false;
    host_ = {};
    queues_.clear();
    chains_.clear();
    events_.clear();
    uses_.clear();
    found_.clear();
    transfers_.clear();
    any_order_ = false;
    passed_gates_.clear();
    set_gates_.clear();
}

void CommandOrder::forget(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    queues_.erase(queue);
}

void CommandOrder::forget(cl_mem buffer) {
    const std::lock_guard lock(mutex_);
    uses_.erase(buffer);
}

CommandOrder::Queue& CommandOrder::queue_of(cl_command_queue handle) {
    const auto [known, is_new] = queues_.try_emplace(handle);
    Queue& queue = known->second;
    if (is_new) {
        cl_command_queue_properties properties = 0;
        REAL_CALL(clGetCommandQueueInfo)
        (handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
        queue.in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
        queue.number =
            handle == given_ ? 0 : static_cast<int>(queues_.size() - queues_.count(given_));
        queue.chain = static_cast<std::uint32_t>(chains_.size());
        chains_.push_back({});
    }
    return queue;
}

/// Returns what comes before the command that is about to enter `queue`.
CommandOrder::Past CommandOrder::past_of(const Command& command, const Queue& queue) const {
    Past past = host_;
    past.join(queue.before_next);
    const Enqueued& how = command.how;
    if (how.kind != Enqueued::Kind::command && how.wait_count == 0)
        past.join(queue.all);
    for (cl_uint i = 0; i < how.wait_count; ++i) {
        const auto known = events_.find(how.wait_list[i]);
        if (known != events_.end()) {
            past.join(known->second.past);
        } else if (is_user_event(how.wait_list[i])) {
            past.gates.insert(how.wait_list[i]);
        } else { // of a command that is not watched: it may wait for anything
            for (const auto& [handle, other] : queues_)
                past.join(other.all);
        }
    }
    return past;
}

/// In an out-of-order queue, a command continues the chain of a command that it waits for, if it is
/// the first to do so.
CommandOrder::Stamp CommandOrder::next_stamp(const Command& command, const Queue& queue) {
    std::uint32_t chain = queue.chain;
    if (!queue.in_order) {
        chain = static_cast<std::uint32_t>(chains_.size());
        for (cl_uint i = 0; i < command.how.wait_count; ++i) {
            const auto known = events_.find(command.how.wait_list[i]);
            if (known == events_.end())
                continue;
            const Stamp before = known->second.stamp;
            if (chains_[before.chain].loose && chains_[before.chain].length == before.position)
                chain = before.chain;
        }
        if (chain == chains_.size())
            chains_.push_back({0, true});
    }
    return {chain, ++chains_[chain].length};
}

CommandOrder::Stamp CommandOrder::place(const Command& command) {
    Queue& queue = queue_of(command.how.queue);
    Past past = past_of(command, queue);
    any_order_ = any_order_ || !past.has_all_of(chains_);
    const Stamp stamp = next_stamp(command, queue);
    for (const Use& use : command.uses)
        note_use(command, use, queue, stamp, past);
    past.join(stamp);
    queue.all.join(past);
    if (queue.in_order || command.how.kind == Enqueued::Kind::barrier)
        queue.before_next.join(past);
    if (command.how.event != nullptr && *command.how.event != nullptr)
        events_[*command.how.event] = {cl::Event(*command.how.event, true), stamp, past};
    if (command.how.blocking) {
        pass_gates(past);
        host_.join(past);
        let_arrive();
    }
    return stamp;
}

void CommandOrder::note_use(const Command& command, const Use& use, const Queue& queue, Stamp stamp,
                            const Past& past) {
    if (use.buffer == nullptr || use.size == 0)
        return;
    auto* const whole = whole_of(use.buffer);
    const std::size_t origin =
        whole == use.buffer ? 0 : info<std::size_t>(use.buffer, CL_MEM_OFFSET);
    const wire::BufferUse now{command.command, command.kernel, command.launch,
                              use.argument,    use.writes,     {origin + use.offset, use.size},
                              queue.number,    queue.in_order, use.offset};
    std::vector<PastUse>& earlier = uses_[whole];
    for (const PastUse& before : earlier) {
        const bool harmless = !(before.use.writes || now.writes) ||
                              !overlap(before.use.bytes, now.bytes) || past.has(before.stamp);
        const bool itself =
            before.stamp.chain == stamp.chain && before.stamp.position == stamp.position;
        if (!harmless && !itself && found_.size() < max_found)
            found_.push_back({{before.use, now}, before.stamp, stamp, before.gates, past.gates});
    }
    // Commands that must be ordered with those must be ordered with this command, too. What a
    // launch really does is not known here.
    const bool sure = command.launch < 0;
    std::erase_if(earlier, [&](const PastUse& before) {
        return host_.has(before.stamp) ||
               (sure && past.has(before.stamp) && (now.writes || !before.use.writes) &&
                covers(now.bytes, before.use.bytes));
    });
    if (earlier.size() >= max_uses)
        earlier.erase(earlier.begin());
    earlier.push_back({now, stamp, past.gates});
}

void CommandOrder::add(const Command& command) {
    const std::lock_guard lock(mutex_);
    if (watching_)
        place(command);
}

void CommandOrder::add_transfer(const Command& command, void* host, bool reads,
                                std::function<void()> arrive) {
    const std::lock_guard lock(mutex_);
    if (watching_)
        transfers_.push_back({place(command), host, reads, std::move(arrive), current_frames()});
}

void CommandOrder::let_arrive() {
    std::vector<Transfer> left;
    for (Transfer& transfer : transfers_) {
        if (!host_.has(transfer.stamp))
            left.push_back(std::move(transfer));
        else if (transfer.arrive)
            transfer.arrive();
    }
    transfers_ = std::move(left);
}

std::optional<std::vector<std::uint64_t>> CommandOrder::arrive_at(const void* host) {
    const std::lock_guard lock(mutex_);
    std::optional<std::vector<std::uint64_t>> frames;
    for (Transfer& transfer : transfers_) {
        if (transfer.host != host)
            continue;
        if (transfer.arrive)
            transfer.arrive();
        frames = transfer.frames;
    }
    std::erase_if(transfers_, [&](const Transfer& transfer) { return transfer.host == host; });
    return frames;
}

void CommandOrder::finished(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    const auto known = queues_.find(queue);
    if (known == queues_.end())
        return;
    host_.join(known->second.all);
    pass_gates(host_);
    let_arrive();
}

void CommandOrder::waited_for(cl_uint count, const cl_event* events) {
    const std::lock_guard lock(mutex_);
    for (cl_uint i = 0; i < count; ++i) {
        const auto known = events_.find(events[i]);
        if (known != events_.end())
            host_.join(known->second.past);
    }
    pass_gates(host_);
    let_arrive();
}

/// The host has waited for what is behind these user events.
void CommandOrder::pass_gates(Past& past) {
    passed_gates_.insert(past.gates.begin(), past.gates.end());
    past.gates.clear();
}

bool CommandOrder::has_waited_for_unset_event() {
    const std::lock_guard lock(mutex_);
    return !std::ranges::includes(set_gates_, passed_gates_);
}

void CommandOrder::set_user_event(cl_event event) {
    const std::lock_guard lock(mutex_);
    set_gates_.insert(event);
    std::erase_if(found_, [&](const Found& one) {
        return (one.later_gates.contains(event) && host_.has(one.earlier)) ||
               (one.earlier_gates.contains(event) && host_.has(one.later));
    });
}

bool CommandOrder::knows(cl_event event) {
    const std::lock_guard lock(mutex_);
    const auto known = events_.find(event);
    return known == events_.end() || host_.has(known->second.stamp);
}

bool CommandOrder::may_run(cl_event event) {
    const std::lock_guard lock(mutex_);
    const auto known = events_.find(event);
    return known != events_.end() && !host_.has(known->second.stamp) &&
           !std::exchange(known->second.is_asked, true);
}

std::vector<wire::UnorderedUses> CommandOrder::unordered() {
    const std::lock_guard lock(mutex_);
    std::vector<wire::UnorderedUses> all;
    std::ranges::transform(found_, std::back_inserter(all),
                           [](const Found& one) { return one.uses; });
    return all;
}

bool CommandOrder::any_order() {
    const std::lock_guard lock(mutex_);
    return any_order_;
}

std::optional<std::vector<std::uint64_t>> CommandOrder::under_way(bool reads) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(transfers_, reads, &Transfer::reads);
    return found == transfers_.end() ? std::nullopt : std::optional(found->frames);
}

} // namespace runner
