// run: k 8/2
// global: uint 9 = 0
// global: uint 4 = 0
// expect: nothing
// what is read decides whether a flag is set, and the loop ends by the flag
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    uint before = 0;
    bool done = tile == 0;
    while (!done) {
        const uint upper = state[2 * tile - 1];
        const uint lower = state[2 * tile];
        if (upper == lower && upper != 0) {
            before = upper;
            done = true;
        }
    }
    atomic_xchg(&state[1 + 2 * tile], before + 1);
    atomic_xchg(&state[2 + 2 * tile], before + 1);
    result[tile] = before;
}
