// run: k 4/4
// global: float 4 = iota
// local: float 12
// global: float 4
// expect: data-race 14
// says: or the arrays rest and sums must not overlap
__kernel void k(__global const float* in, __local float* temp, __global float* out) {
    __local float* sums = temp + 1;
    __local float* rest = sums + get_local_size(0) - 1;
    const uint lid = get_local_id(0);

    sums[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float last = sums[3];
    rest[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = last + rest[lid];
}
