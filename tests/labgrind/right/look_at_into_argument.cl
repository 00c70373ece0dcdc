// run: k 8/2
// global: uint 9 = 0
// global: uint 4 = 0
// expect: nothing
// a helper returns what it has read through a pointer to a private variable
void look_at(volatile __global const uint* state, uint tile, uint* value) {
    const uint upper = state[1 + 2 * tile];
    const uint lower = state[2 + 2 * tile];
    *value = upper == lower ? upper : 0;
}
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    uint before = 0;
    while (tile > 0 && before == 0)
        look_at(state, tile - 1, &before);
    atomic_xchg(&state[1 + 2 * tile], before + 1);
    atomic_xchg(&state[2 + 2 * tile], before + 1);
    result[tile] = before;
}
