// All work-items add one element, in turn.
// run: go 64/32
// global: float 64 = 1
// global: float 2 = 0
// counts: additions 64, lone-additions 0, span 32

__kernel void go(__global const float* data, __global float* output) {
    __local float sum;
    const uint lid = get_local_id(0);
    if (lid == 0)
        sum = 0.0f;
    for (uint i = 0; i < get_local_size(0); ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == lid)
            sum += data[get_global_id(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        output[get_group_id(0)] = sum;
}
