// run: k 64/32
// global: float4 64 = iota
// global: float4 64 = 0
// expect: nothing
__kernel void k(__global const float4* in, __global float4* out) {
    __local float4 t[34];
    const int l = get_local_id(0), g = get_group_id(0);
    const int lo = g == 0 ? 0 : g * 32 - 1;
    const int n = g == 0 ? 33 : 33;
    event_t e = async_work_group_copy(t + (g == 0 ? 1 : 0), in + lo, n, 0);
    if (l == 0)
        t[g == 0 ? 0 : 33] = (float4)(0);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + t[l + 1] + t[l + 2];
}
