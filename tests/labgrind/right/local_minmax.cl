// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int mn, mx;
    if (get_local_id(0) == 0) {
        mn = INT_MAX;
        mx = INT_MIN;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&mn, d[get_global_id(0)]);
    atomic_max(&mx, d[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = mx - mn;
}
