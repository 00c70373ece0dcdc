// An asynchronous copy, and loads from local memory.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 256, global-loads 64

__kernel void go(__global const float* data, __global float* output) {
    __local float copy[64];
    const uint i = get_global_id(0);
    const event_t done = async_work_group_copy(copy, data, 64, 0);
    wait_group_events(1, &done);
    float sum = 0.0f;
    if (i == 0) {
        for (uint j = 0; j < 64; ++j)
            sum += copy[j];
    }
    output[i] = sum;
}
