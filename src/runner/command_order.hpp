#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace runner {

/// How a command was enqueued.
struct Enqueued {
    enum class Kind {
        command,
        marker, ///< waits for its wait list, or for all earlier commands if that is empty
        barrier ///< likewise, and all later commands wait for it
    };
    cl_command_queue queue = nullptr;
    cl_uint wait_count = 0;
    const cl_event* wait_list = nullptr;
    const cl_event* event = nullptr; ///< its own event, if the host wants it
    bool blocking = false;
    Kind kind = Kind::command;
};

/// A part of a buffer that a command reads or writes.
struct Use {
    cl_mem buffer = nullptr;
    std::size_t offset = 0;
    std::size_t size = 0;
    bool writes = false; ///< of a launch: it can write
    int argument = -1;   ///< of a launch
};

/// Records which of the host's commands are ordered: by an in-order queue, wait lists, barriers and
/// markers, and by what the host waited for before it enqueued the next one. Two commands that use
/// the same bytes of a buffer must be ordered if one of them writes; how they happened to run
/// proves nothing.
class CommandOrder {
  public:
    /// Starts recording; `queue` is the queue that the host is given.
    void begin(cl_command_queue queue);
    /// Stops, and forgets everything.
    void end();

    /// From now on the handle names a new object.
    void forget(cl_command_queue queue);
    void forget(cl_mem buffer);

    struct Command {
        wire::HostCommand command = wire::HostCommand::launch;
        Enqueued how;
        std::vector<Use> uses;
        std::string kernel = {};                 ///< of a launch
        int launch = -1;                         ///< its number in this call
        std::vector<std::uint32_t> pattern = {}; ///< the words that a fill repeats
    };
    /// A command has been enqueued.
    void add(const Command& command);
    /// The same for a command that uses the host's memory at `host` and may not have ended yet.
    /// Calls `arrive` once the host knows that it has ended.
    void add_transfer(const Command& command, void* host, bool reads,
                      std::function<void()> arrive = {});

    // These calls let the host know that commands have ended.
    void finished(cl_command_queue queue);
    void waited_for(cl_uint count, const cl_event* events);
    /// The host sets a user event: what waits for it comes after all that the host knows to have
    /// ended.
    void set_user_event(cl_event event);
    /// A transfer to `host`, or a map there, ends whether the host has waited or not. Returns where the
    /// host made it if it was still under way, innermost first.
    std::optional<std::vector<std::uint64_t>> arrive_at(const void* host);

    /// Whether the host knows that the command of this event has ended; true for unknown
    /// events.
    bool knows(cl_event event);
    /// Whether a query for the status of this event can still find its command running although it has
    /// ended. The first query can, unless the host knows of the end: a host that asks too little fails in
    /// every run.
    bool may_run(cl_event event);

    /// Returns the pairs of uses that must be ordered and are not.
    std::vector<wire::UnorderedUses> unordered();
    /// Whether OpenCL may run some command before, or beside, one that was enqueued earlier.
    bool any_order();
    /// Where the host made the first command that reads from, or writes to, a buffer and can still use
    /// the host's memory, innermost first; nothing if there is none.
    std::optional<std::vector<std::uint64_t>> under_way(bool reads);
    /// Whether the host has waited for a command that waits for a user event which it never set. On a
    /// device it waits forever.
    bool has_waited_for_unset_event();

  private:
    /// A command's place: commands of one chain are ordered.
    struct Stamp {
        std::uint32_t chain = 0;
        std::uint32_t position = 0; ///< from 1
    };
    struct Chain {
        std::uint32_t length = 0;
        bool loose = false; ///< of commands in out-of-order queues
    };
    /// What comes before a command, or what the host knows to have ended.
    struct Past {
        std::map<std::uint32_t, std::uint32_t> positions; ///< by chain: the last position
        std::set<cl_event> gates;                         ///< user events that something waits for

        bool has(Stamp stamp) const;
        bool has_all_of(const std::vector<Chain>& chains) const;
        void join(const Past& other);
        void join(Stamp stamp);
    };
    struct Queue {
        int number = 0;
        bool in_order = true;
        std::uint32_t chain = 0; ///< of an in-order queue
        Past all;                ///< of its commands
        Past before_next;        ///< what its next command waits for
    };
    struct EventOf {
        cl::Event owner; ///< so that its handle names no other event
        Stamp stamp;
        Past past;
        bool is_asked = false; ///< the host has asked for its status
    };
    struct PastUse {
        wire::BufferUse use;
        Stamp stamp;
        std::set<cl_event> gates;
    };
    struct Found {
        wire::UnorderedUses uses;
        Stamp earlier;
        Stamp later;
        std::set<cl_event> earlier_gates;
        std::set<cl_event> later_gates;
    };
    struct Transfer {
        Stamp stamp;
        void* host = nullptr;
        bool reads = false;
        std::function<void()> arrive;
        std::vector<std::uint64_t> frames; ///< where the host made it
    };

    Stamp place(const Command& command);
    Queue& queue_of(cl_command_queue handle);
    Past past_of(const Command& command, const Queue& queue) const;
    Stamp next_stamp(const Command& command, const Queue& queue);
    void note_use(const Command& command, const Use& use, const Queue& queue, Stamp stamp,
                  const Past& past);
    void let_arrive();
    void pass_gates(Past& past);

    std::mutex mutex_; ///< never held during an OpenCL call that can wait
    bool watching_ = false;
    cl_command_queue given_ = nullptr;
    Past host_;
    std::map<cl_command_queue, Queue> queues_;
    std::vector<Chain> chains_;
    std::map<cl_event, EventOf> events_;
    std::map<cl_mem, std::vector<PastUse>> uses_; ///< by buffer; parts belong to the whole
    std::vector<Found> found_;
    std::vector<Transfer> transfers_;
    bool any_order_ = false;
    std::set<cl_event> passed_gates_; ///< behind which the host has waited for something
    std::set<cl_event> set_gates_;
};

} // namespace runner
