// run: t 256/64
// global: int 256 = iota
// local: int 64
// global: int 256 = 0
// expect: data-race 13
__kernel void t(__global int* data, __local int* t, volatile __global int* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    if (lid == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        int old = atomic_add(&out[100], 1);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        out[0] += data[gid];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_add(&out[101], 1);
    }
}
