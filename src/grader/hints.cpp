#include "grader/hints.hpp"

namespace grader {

namespace {

Hints hints_for_race_between_groups() {
    return {"For both groups, compute the index at the lines in the message. Should both groups "
            "use the same element?",
            "Groups run at the same time and cannot wait for each other. Each needs elements of "
            "its own, so the index must depend on get_group_id(0) or get_global_id(0).",
            "A group's result belongs to output[get_group_id(0)], a work-item's element to "
            "data[get_global_id(0)]. What one group needs from another belongs to the next "
            "launch."};
}

} // namespace

// NOLINTNEXTLINE(readability-function-size): a table of texts
Hints hints_for(const wire::Finding& finding) {
    using wire::FindingKind;
    switch (finding.kind) {
    case FindingKind::data_race:
        if (finding.between_groups)
            return hints_for_race_between_groups();
        return {
            "Two work-items use the same memory at the lines that the message names, and one of "
            "them writes. Should both use the same element? If not, an index is wrong. If so, what "
            "makes sure that one comes after the other?",
            "Within a group, only a barrier orders them, and it must have the flag of that "
            "memory: CLK_LOCAL_MEM_FENCE or CLK_GLOBAL_MEM_FENCE. A barrier does not order "
            "work-items of different groups.",
            "Put a barrier between the write and the read, outside any if. Where a loop writes "
            "what its next round reads, the barrier belongs inside the loop."};
    case FindingKind::barrier_flag:
        return {
            "Compare the flag of the barrier with the memory that the work-items use before and "
            "after it.",
            "CLK_LOCAL_MEM_FENCE is for local memory, CLK_GLOBAL_MEM_FENCE for buffers. If "
            "both are used, join them with |."};
    case FindingKind::divergent_barrier:
        return {
            "Follow one work-item that skips the if around the barrier, or that returns early.",
            "Every work-item of the group must reach the same barrier the same number of times.",
            "Move the barrier out of the if, and let the if contain only the work: "
            "if (lid < half) { ... } barrier(...);"};
    case FindingKind::out_of_bounds:
        return {"Compute the index at that line by hand for the first and for the last work-item.",
                "Compare the largest index with the number of elements that the host gave the "
                "buffer or the local memory. Work-items beyond the last element need a condition.",
                "If only work-items beyond the last element are outside, write if (i < n) around "
                "the access; if others are, too, the index is wrong. Buffer sizes are in bytes: "
                "elements times sizeof."};
    case FindingKind::misaligned:
        return {"At which byte does the access at that line begin, for each work-item?",
                "A float4 that you read through a pointer to float4 must begin at a multiple of 16 "
                "bytes, a float2 at a multiple of 8. Your CPU may accept other addresses, but GPUs "
                "do not.",
                "Read and write vectors at other places with vload4(0, pointer) and vstore4(v, 0, "
                "pointer), where pointer points to a float, or use an index that counts vectors."};
    case FindingKind::uninitialized:
        return {
            "Ask which line writes the memory that is read there, and whether it always runs "
            "before.",
            "Local memory and new buffers contain nothing useful. Each element that is read must "
            "be written first. The work-items beyond the last element must write theirs, too.",
            "Let every work-item store something before the first barrier: its element, or the "
            "operator's identity if it has none."};
    case FindingKind::division_by_zero:
        return {"Find the value that is divided by, and the work-item for which it is 0.",
                "OpenCL does not define x / 0 and x % 0 of integers, and no error is reported. "
                "Devices return different numbers.",
                "Divide only where the divisor is not 0: if (k != 0) ... x / k ...; or choose the "
                "divisor so that it is never 0."};
    case FindingKind::unpromised_wait:
        if (!finding.between_groups)
            return {"Which work-item does the loop wait for, and has that one reached the store?",
                    "OpenCL does not guarantee that the other work-items of a group make progress "
                    "while one waits in a loop. On a GPU that runs them in lockstep, the loop may "
                    "never end.",
                    "Use a barrier instead of the loop: it ends once all work-items of the group "
                    "have reached it."};
        return {"Which group does the loop wait for, and has that group begun?",
                "The id of a group says nothing about when it begins. Wait only for groups that "
                "have certainly begun.",
                "Let each group take a number with atomic_inc() when it begins, and use that "
                "number instead of the group id: the groups with smaller numbers have begun."};
    case FindingKind::endless_loop:
        return {"Find the loop at that line, and the variable that is meant to end it.",
                "That variable must change in every round: a distance that is halved must not stay "
                "1, and a wait must read memory that another work-item really changes.",
                "If the loop waits for another work-item, that one must be able to continue: it "
                "must not wait for the same lock or at a barrier. Read what it changes with an "
                "atomic operation or through a volatile pointer."};
    case FindingKind::missing_fence:
        return {"The lock works, but nothing orders the protected data with it: another work-item "
                "can take the lock and still see old data.",
                "A fence keeps the accesses inside the lock: one after you take the lock, and one "
                "before you release it.",
                "Call mem_fence(CLK_GLOBAL_MEM_FENCE) directly after lock() and directly before "
                "unlock()."};
    case FindingKind::plain_unlock:
        return {"Look at how the lock is released.",
                "An ordinary store is a data race with the atomic operations of other work-items. "
                "Release the lock with an atomic operation: atomic_xchg(lock, 0)."};
    case FindingKind::unlock_not_held:
        return {
            "Ask which work-item releases the lock, and whether it is the one that took it.",
            "Only the work-item that got 0 back from atomic_cmpxchg(lock, 0, 1) may release "
            "the lock.",
            "Take and release the lock in the same if: if (lid == 0) { lock(); ... unlock(); }"};
    case FindingKind::never_unlocked:
        return {
            "Follow every path from the place where the lock is taken to the end of the kernel.",
            "Each path must release the lock exactly once, including one with an early return or a "
            "break."};
    case FindingKind::barrier_in_lock:
        return {
            "Ask which work-items wait at that barrier, and which one holds the lock.",
            "At a barrier, the holder waits for work-items that may themselves be waiting for the "
            "lock. Do what needs a barrier before you take the lock, or after you release it."};
    case FindingKind::lock_step_hang:
        return {"Some devices run neighboring work-items in lockstep: all of them take the same "
                "branch together.",
                "If work-items of one group compete for a lock, the one that got it may have to "
                "wait for the others, which wait for the lock.",
                "Let only one work-item of each group take the lock."};
    case FindingKind::no_retry:
        return {"Ask what happens if another work-item is faster between your read and your "
                "compare-and-swap.",
                "A compare-and-swap returns the old value. If that is not the value that you "
                "expected, nothing was written.",
                "Repeat in a loop: read the value, compute the new one, compare-and-swap, and stop "
                "only if the returned value is the one that you computed from."};
    case FindingKind::wrong_order:
        return {"The message describes a legal schedule. Trace it on paper: what does each "
                "work-item know at that moment?",
                "Between a read and the write that depends on it, other work-items can run. Only "
                "one atomic operation, or a lock around both, keeps them together."};
    case FindingKind::lock_not_free:
        return {"Ask which value the lock has when the kernel starts.",
                "A new buffer can hold any value. The host must write 0 to the lock before each "
                "launch."};
    case FindingKind::reads_write_only:
        return {"Look at the flags that the host passes to create that buffer.",
                "A kernel must not read a CL_MEM_WRITE_ONLY buffer. Use CL_MEM_READ_WRITE."};
    case FindingKind::writes_read_only:
        return {"Look at the flags that the host passes to create that buffer.",
                "A kernel must not write to a CL_MEM_READ_ONLY buffer. Use CL_MEM_READ_WRITE."};
    }
    return {}; // not reached
}

Hints hints_for_strange_memory() {
    return {
        "The number comes from memory that was never written, or from outside a buffer: find "
        "out which element is read there.",
        "Look at the last group, which may not be full, and at buffers that are longer than "
        "what was copied into them.",
        "Fill the end of a padded buffer with the identity, let every work-item write its local "
        "memory before the first barrier, and guard other accesses with if (i < n)."};
}

Hints hints_for_stray_write() {
    return {"Compute the index of the store by hand for the last work-item of the last group.",
            "The global size can be larger than the number of elements, because it is a multiple "
            "of the work-group size. Work-items beyond the end must not store.",
            "Write if (i < n) around the store, or, if the group stores one result, "
            "if (get_local_id(0) == 0) with the index get_group_id(0). Buffer sizes are in bytes."};
}

Hints hints_for_missing_order() {
    return {"Look at the queue and the events of the two commands that the message names.",
            "Commands in one in-order queue run one after the other. With several queues, or an "
            "out-of-order queue, only events order them.",
            "Pass the event of the first command in the wait list of the second one, or use only "
            "setup.queue."};
}

Hints hints_for_failed_call(const wire::FailedCall& call) {
    constexpr int invalid_value = -30;
    constexpr int invalid_arg_size = -51;
    constexpr int invalid_kernel_args = -52;
    constexpr int invalid_work_group_size = -54;
    if (call.code == invalid_value && call.request == wire::FailedCall::Request::transfer)
        return {"Compare three sizes in bytes: that of the transfer, of the buffer, and of the "
                "vector.",
                "A std::vector has only as many elements as you gave it: create it with its size, "
                "std::vector<float> result(n), before you read into it. Bytes are elements times "
                "sizeof(float)."};
    if (call.code == invalid_arg_size || call.code == invalid_kernel_args)
        return {"Compare the parameters of the kernel one by one with the setArg calls.",
                "Each parameter needs one setArg with its position, counted from 0. A uint needs a "
                "cl_uint, not a std::size_t; a __local pointer needs cl::Local(bytes)."};
    if (call.code == invalid_work_group_size)
        return {"Divide the global size by the work-group size.",
                "Round the number of elements up to full groups: groups = (n + size - 1) / size, "
                "and the global size is groups * size."};
    return {};
}

Hints hints_for(const Correction& correction) {
    const std::string line = "line " + std::to_string(correction.line);
    if (correction.inserts_barrier())
        return {"Which line must other work-items reach before this one may continue?",
                "If two work-items use the same element and one of them writes, put a barrier "
                "between the two accesses. This includes accesses in different rounds of a loop.",
                "All small inputs give the right result with " + correction.right + " before " +
                    line + "."};
    Hints hints{"Take the smallest input that fails. On paper, what does " + line +
                " do with it, and what must it do?"};
    if (!correction.right.empty())
        hints.push_back("All small inputs give the right result with " + correction.right +
                        " instead of " + correction.wrong.front() + " in " + line + ".");
    return hints;
}

Hints hints_for_beginning(const std::string& lab) {
    return {"labs/" + lab +
            "/README.md says what this part must do, and in which order to write "
            "the parts."};
}

} // namespace grader
