// run: k 12/4
// global: int 1 = 0
// global: int 12 = iota
// expect: data-race 11
// Line 8 only takes a first look, which the compare-and-swap checks. Line 11 reads again.
void add(volatile __global int* sum, int value) {
    int expected;
    int seen = *sum;
    do {
        expected = seen;
        const int next = *sum + value;
        seen = atomic_cmpxchg(sum, expected, next);
    } while (seen != expected);
}
__kernel void k(volatile __global int* sum, __global const int* in) {
    add(sum, in[get_global_id(0)]);
}
