// run: k 16/16
// global: int 16 = iota
// global: int 16 = 0
// expect: uninitialised 8
typedef struct {
    int a, b, c;
} P;
int sum(P p) { return p.a + p.b + p.c; }
__kernel void k(__global const int* in, __global int* out) {
    P p;
    p.a = in[get_global_id(0)];
    p.b = 2;

    out[get_global_id(0)] = sum(p);
}
