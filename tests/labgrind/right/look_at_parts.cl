// run: k 8/2
// global: uint 9 = 0
// global: uint 4 = 0
// expect: nothing
// the words lie in an array and in the parts of a vector until they are compared
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    uint words[2] = {0, 0};
    uint2 both = 0;
    while (tile > 0 && (words[0] == 0 || words[0] != words[1] || both.x != both.y)) {
        for (uint i = 0; i < 2; ++i)
            words[i] = state[2 * tile - 1 + i];
        both.lo = state[2 * tile - 1];
        both.hi = state[2 * tile];
    }
    const uint before = words[0];
    atomic_xchg(&state[1 + 2 * tile], before + 1);
    atomic_xchg(&state[2 + 2 * tile], before + 1);
    result[tile] = before;
}
