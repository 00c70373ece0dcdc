// run: acc 64/16
// global: float 32 = 1
// global: float 1
// expect: nothing
__kernel void acc(__global const float* w, volatile __global float* sum) {
    volatile __global int* p = (volatile __global int*)sum;
    int old, seen = *p;
    do {
        old = seen;
        float s = as_float(old);
        for (int k = 0; k < 32; k++)
            s += w[k];
        seen = atomic_cmpxchg(p, old, as_int(s));
    } while (seen != old);
}
