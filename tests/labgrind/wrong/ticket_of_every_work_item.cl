// run: k 8/4
// global: uint 3 = 0
// global: uint 2
// expect: data-race 10
// expect: out-of-bounds 13
__kernel void k(volatile __global uint* state, __global uint* sums) {
    __local uint shared_tile;
    const uint lid = get_local_id(0);

    shared_tile = atomic_inc(&state[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        atomic_xchg(&state[1 + shared_tile], get_local_size(0));
    sums[get_group_id(0)] = get_local_size(0);
}
