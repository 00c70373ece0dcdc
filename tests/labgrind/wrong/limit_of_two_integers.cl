// Of two integers with the number of elements as value, only n is a limit.
// run: k 4/4
// global: int 4 = iota
// value: int 4
// value: int 4
// global: int 4 = 0
// expect: out-of-bounds 12
// says: because n is 4: does the kernel check that the index is less than n?
__kernel void k(__global const int* in, int n, int stride, __global int* out) {
    const int i = get_global_id(0);
    if (i < n)
        out[i] = in[i + stride];
}
