// run: hist 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: uninitialised 11
__kernel void hist(__global const int* data, __global int* out) {
    __local int h[16];
    const int gid = get_global_id(0), lid = get_local_id(0);
    if (gid < 16)
        h[gid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[data[gid] % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 16)
        atomic_add(&out[lid], h[lid]);
}
