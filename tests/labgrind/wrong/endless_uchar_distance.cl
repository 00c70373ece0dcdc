// run: k 512/512
// local: int 512
// global: int 512 = 0
// expect: endless-loop 11
// says: in the condition at line 8, size is 512 and d, a uchar, is 0
__kernel void k(__local int* temp, __global int* out) {
    const int i = get_local_id(0), size = get_local_size(0);
    for (uchar d = 1; d < size; d *= 2) {
        if (i == 0)
            temp[0] = d;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = temp[0];
}
