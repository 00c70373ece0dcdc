// run: k 64/16
// global: int 64 = iota
// global: int 4 = 0
// expect: uninitialised 10
__kernel void k(__global const int* in, __global int* out) {
    __local int pivot;
    if (get_local_id(0) == 0 && in[get_global_id(0)] > 20)
        pivot = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] > pivot)
        atomic_inc(&out[get_group_id(0)]);
}
