// run: k 16/16
// global: float 64 = iota
// global: float 16 = 0
// expect: uninitialised 16
// expect: data-race 14
__kernel void k(__global const float* in, __global float* out) {
    __local float t[2][16];
    const int l = get_local_id(0);
    float acc = 0;
    event_t e[2];
    e[0] = async_work_group_copy(t[0], in, 16, 0);
    for (int b = 0; b < 4; b++) {
        if (b < 3)
            e[(b + 1) % 2] = async_work_group_copy(t[(b + 1) % 2], in + (b + 1) * 16, 16, 0);
        wait_group_events(1, &e[0]);
        acc += t[b % 2][15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = acc;
}
