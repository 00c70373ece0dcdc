// run: k 256/64
// global: uchar 3072 = 0
// global: float 256 = 0
// expect: nothing
typedef struct {
    float a, b;
    char c;
} S;
__kernel void k(__global S* q, __global float* o) {
    S s;
    s.a = get_global_id(0);
    s.c = 1;
    q[get_global_id(0)] = s;
    o[get_global_id(0)] = q[get_global_id(0)].a;
}
