// run: red 256/64
// global: float 256 = iota
// global: float 4 = 0
// global: uint 1 = 0
// global: float 4 = 0
// expect: data-race 18
// expect: data-race 19
__kernel void red(__global const float* in, __global float* part, volatile __global uint* count,
                  __global float* out) {
    __local int last;
    const int lid = get_local_id(0);
    if (lid == 0) {
        part[get_group_id(0)] = in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(count) == get_num_groups(0) - 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    if (last && lid < get_num_groups(0))
        out[lid] = part[lid];
}
