// run: k 4/4
// local: float 4
// global: float 1
// expect: uninitialised 11
// says: only line 11 writes to sums, but it reads it first
__kernel void k(__local float* sums, __global float* out) {
    const uint lid = get_local_id(0);

    for (uint i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            sums[lid] += sums[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[0] = sums[0];
}
