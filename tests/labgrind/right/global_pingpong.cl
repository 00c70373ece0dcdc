// run: k 256/64
// global: int 256 = 1
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* a, __global int* b) {
    int l = get_local_id(0);
    __global int* A = a + get_group_id(0) * 64;
    __global int* Q = b + get_group_id(0) * 64;
    for (int i = 1; i < 64; i <<= 1) {
        Q[l] = A[l] + (l >= i ? A[l - i] : 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global int* t = A;
        A = Q;
        Q = t;
    }
    if (A != a + get_group_id(0) * 64)
        a[get_group_id(0) * 64 + l] = A[l];
}
