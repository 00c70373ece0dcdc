// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: endless-loop 9
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        atomic_inc(m);
        while (atomic_add(m, 0) < get_num_groups(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    s[get_group_id(0)] = data[0];
}
