// run: k 64/32
// global: int 64 = iota
// global: int 2 = 0
// expect: data-race 14
__kernel void k(__global const int* x, __global int* res) {
    __local int top;
    if (get_local_id(0) == 0)
        top = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = x[get_global_id(0)];
    if (v > top)
        atomic_max(&top, v);
    if (get_local_id(0) == 31)
        res[get_group_id(0)] = top;
}
