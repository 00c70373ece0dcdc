// run: k 256/64
// global: float 1024 = iota
// global: float 1024 = 0
// expect: nothing
__kernel void k(__global const float* in, __global float* out) {
    __local float buf[2][64];
    __local float res[64];
    event_t ev[2];
    int l = get_local_id(0), base = get_group_id(0) * 256;
    ev[0] = async_work_group_copy(buf[0], in + base, 64, 0);
    event_t w = 0;
    for (int t = 0; t < 4; t++) {
        if (t + 1 < 4)
            ev[(t + 1) & 1] =
                async_work_group_copy(buf[(t + 1) & 1], in + base + (t + 1) * 64, 64, 0);
        wait_group_events(1, &ev[t & 1]);
        if (t > 0)
            wait_group_events(1, &w);
        res[l] = buf[t & 1][63 - l] * 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        w = async_work_group_copy(out + base + t * 64, res, 64, 0);
    }
    wait_group_events(1, &w);
}
