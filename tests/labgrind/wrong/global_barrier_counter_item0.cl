// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// global: int 1 = 0
// expect: endless-loop 11
__kernel void k(__global float* a, __global float* b, volatile __global int* arrived) {
    a[get_global_id(0)] *= 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_inc(arrived);
        while (atomic_add(arrived, 0) < get_num_groups(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    b[get_global_id(0)] = a[255 - get_global_id(0)];
}
