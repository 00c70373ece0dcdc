// The new value comes from a second read, not from the value that the compare-and-swap expects.
// run: k 4/4
// global: int 1 = 0
// expect: data-race 13
// says: the compare-and-swap checks the value that it expects, but not what this load reads
// never: barrier
__kernel void k(volatile __global int* sum) {
    int before;
    int after;

    do {
        before = sum[0];
        after = sum[0] + 1;
    } while (atomic_cmpxchg(&sum[0], before, after) != before);
}
