// run: k 64/8
// global: int 1 = 0
// global: int 8 = 0
// expect: endless-loop 11
// says: and for a group that may not have begun
// the flag is set by the last group, and the first one waits for it
__kernel void k(volatile __global int* flag, __global int* out) {
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) == 0)
        while (atomic_add(flag, 0) == 0)
            ;
    if (get_group_id(0) == get_num_groups(0) - 1)
        atomic_xchg(flag, 1);
    out[get_group_id(0)] = 1;
}
