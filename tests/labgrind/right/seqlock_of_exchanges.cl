// A group marks its word as busy, writes the value, and sets the status, twice: no lock is taken.
// run: publish 8/2
// global: uint 8 = 0
// expect: nothing
void set(volatile __global uint* words, uint value, uint status) {
    atomic_xchg(&words[0], 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&words[1], value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&words[0], status);
}

__kernel void publish(volatile __global uint* words) {
    const uint group = get_group_id(0);
    if (get_local_id(0) == 0) {
        set(words + 2 * group, group, 1);
        set(words + 2 * group, 10 * group, 2);
    }
}
