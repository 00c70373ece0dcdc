// run: k 2/1
// global: int 2
// global: int 2
// global: int 2
// expect: unpromised-wait 14
// says: waits at line 14 for a group that may not have begun
__kernel void k(__global int* data, volatile __global int* full, __global int* out) {
    for (int i = 0; i < 2; i++)
        if (get_group_id(0) == 0) {
            data[i] = i + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&full[i], 1);
        } else {
            while (full[i] == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            out[i] = data[i];
            atomic_xchg(&full[i], 0);
        }
}
