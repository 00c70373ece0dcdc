// run: k 16/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 8
__kernel void k(__global const float* in, __global float* out) {
    const int i = get_global_id(0);
    float3 a;
    a += in[i] * 2;
    a *= 0.5f;
    vstore3(a, i, out);
}
