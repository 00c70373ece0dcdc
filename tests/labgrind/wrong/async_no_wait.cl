// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: uninitialised 12
// expect: data-race 10
// says: the asynchronous copy at line 10 is never waited for
__kernel void k(__global const float* in, __global float* out) {
    __local float t[64];
    const int lid = get_local_id(0);
    async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - lid];
}
