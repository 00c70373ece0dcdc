// run: k 8/2
// global: uint 9 = 0
// global: uint 4 = 0
// expect: nothing
// what is read decides whether the loop goes to the next tile, stays or ends
__kernel void k(volatile __global uint* state, __global uint* result) {
    if (get_local_id(0) != 0)
        return;
    const uint tile = atomic_inc(&state[0]);
    uint before = 0;
    uint t = tile;
    while (t > 0) {
        const uint upper = state[2 * t - 1];
        const uint lower = state[2 * t];
        switch (upper == lower ? upper : 0) {
        case 0:
            continue;
        case 1:
            before += 1;
            --t;
            break;
        default:
            before += upper;
            t = 0;
        }
    }
    atomic_xchg(&state[1 + 2 * tile], before + 1);
    atomic_xchg(&state[2 + 2 * tile], before + 1);
    result[tile] = before;
}
