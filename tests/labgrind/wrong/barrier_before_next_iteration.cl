// run: share 8/8
// global: float 8 = iota
// global: float 8 = 0
// expect: data-race 16
// says: between line 16 and line 14 in the next iteration

// A barrier stands between the two lines, but none between the read and the next write.
__kernel void share(__global const float* values, __global float* sums) {
    __local float shared;
    const size_t lid = get_local_id(0);
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        if (lid == 0)
            shared = values[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += shared;
    }
    sums[lid] = sum;
}
