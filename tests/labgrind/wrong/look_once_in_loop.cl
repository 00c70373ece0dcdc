// run: k 8/2
// global: uint 5 = 0
// global: uint 4 = 0
// expect: data-race 14
// looks at each word once, in a loop that waits for none of them
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    atomic_xchg(&state[1 + tile], 1);
    uint before = 0;
    bool any = false;
    for (uint t = 0; t < tile; ++t) {
        if (state[1 + t] != 0) {
            before += 1;
            any = true;
        }
    }
    result[tile] = any ? before : 0;
}
