// An asynchronous copy loads each element once, however large it is.
// run: go 16/16
// global: float 64 = 1
// global: float 16 = 0
// counts: global-loads 16, global-bytes 256

__kernel void go(__global const float4* data, __global float* output) {
    __local float4 copy[16];
    const uint i = get_global_id(0);
    const event_t done = async_work_group_copy(copy, data, 16, 0);
    wait_group_events(1, &done);
    output[i] = copy[i].x;
}
