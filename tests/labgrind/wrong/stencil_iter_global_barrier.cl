// run: st 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: data-race 9
__kernel void st(__global float* a, __global float* b) {
    const int i = get_global_id(0);
    for (int it = 0; it < 4; it++) {
        if (i > 0 && i < 255)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float* t = a;
        a = b;
        b = t;
    }
}
