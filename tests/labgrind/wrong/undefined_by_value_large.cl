// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 10
typedef struct {
    float v[20];
    int n;
} Acc;
float total(Acc b) {
    float s = b.n;
    for (int i = 0; i < 20; i++)
        s += b.v[i];
    return s;
}
__kernel void k(__global const float* in, __global float* out) {
    Acc a;

    for (int i = 0; i < 20; i++)
        a.v[i] = in[get_global_id(0)];
    out[get_global_id(0)] = total(a);
}
