// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
float sum(float* p, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float a[16];
    int n = 0;
    for (int i = 0; i < l % 8; i++)
        a[n++] = 1;
    float* e = a + n;
    int c = 0;
    for (float* q = a; q != e; ++q)
        c++;
    o[g] = d[g] + sum(a, n) - c;
}
