// run: k 8/4
// global: float 4 = 0
// expect: endless-loop 9
// says: line 11 compares with NaN, which is not equal to itself
void add_float(volatile __global float* address, float value) {
    volatile __global uint* word = (volatile __global uint*)address;
    float rest = value;
    do {
        const float total = *address;
        rest = as_float(atomic_xchg(word, as_uint(total + rest))) - total;
    } while (rest != 0.0f);
}
__kernel void k(__global float* total) {
    if (get_local_id(0) == 0)
        add_float(total, get_group_id(0) == 0 ? NAN : 1.0f);
}
