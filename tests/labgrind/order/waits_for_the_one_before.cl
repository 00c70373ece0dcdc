// The work-items take turns: run last first, they would wait forever, but that is not their mistake.
// run: turns 32/4
// global: int 32 = iota
// expect: nothing
__kernel void turns(__global int* values) {
    volatile __local int turn;
    if (get_local_id(0) == 0)
        turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_or(&turn, 0) != (int)get_local_id(0)) {
    }
    values[get_global_id(0)] += 1;
    atomic_inc(&turn);
}
