// run: hist 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: no-retry 14
__kernel void hist(__global const int* data, __global int* out) {
    __local int h[16], lock[16];
    const int lid = get_local_id(0);
    if (lid < 16) {
        h[lid] = 0;
        lock[lid] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int b = data[get_global_id(0)] % 16;
    if (atomic_cmpxchg(&lock[b], 0, 1) == 0) {
        mem_fence(CLK_LOCAL_MEM_FENCE);
        h[b]++;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        atomic_xchg(&lock[b], 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 16)
        atomic_add(&out[lid], h[lid]);
}
