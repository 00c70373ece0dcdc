// run: k 8/2
// global: uint 9 = 0
// global: uint 4 = 0
// expect: nothing
// helpers return both words in a structure, by value and through a pointer
typedef struct {
    uint upper, lower;
} Words;
Words look_at(volatile __global const uint* state, uint tile) {
    const Words words = {state[1 + 2 * tile], state[2 + 2 * tile]};
    return words;
}
void look_into(volatile __global const uint* state, uint tile, Words* words) {
    words->upper = state[1 + 2 * tile];
    words->lower = state[2 + 2 * tile];
}
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    uint before = 0;
    for (Words words = {0, 0}; tile > 0 && before == 0;) {
        if (tile % 2 == 0)
            words = look_at(state, tile - 1);
        else
            look_into(state, tile - 1, &words);
        before = words.upper == words.lower ? words.upper : 0;
    }
    atomic_xchg(&state[1 + 2 * tile], before + 1);
    atomic_xchg(&state[2 + 2 * tile], before + 1);
    result[tile] = before;
}
