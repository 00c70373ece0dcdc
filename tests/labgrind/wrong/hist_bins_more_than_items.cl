// run: hist 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: uninitialised 10
__kernel void hist(__global const int* data, __global int* out) {
    __local int h[256];
    const int gid = get_global_id(0), lid = get_local_id(0);
    h[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[data[gid] % 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[lid], h[lid]);
}
