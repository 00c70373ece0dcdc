// run: k 4/4
// global: float 4 = 1
// expect: endless-loop 10
// says: line 11 compares with NaN, which is not equal to itself
__kernel void k(__global float* values) {
    volatile __global uint* word = (volatile __global uint*)values;
    uint seen = as_uint(NAN);
    uint assumed;
    do {
        assumed = seen;
    } while (as_float(seen) != as_float(assumed));
    word[get_global_id(0)] = seen;
}
