// run: k 4/2
// global: float 16384 = 1
// global: float 256 = 0
// value: int 4096
// expect: nothing
__kernel void k(__global const float4* p, __global float4* o, int n) {
    float4 a = (float4)(0);
    float4 me = p[get_global_id(0)];
    for (int j = 0; j < n; j++) {
        float4 r = p[j] - me;
        float dd = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
        float inv = rsqrt(dd);
        a += r * (p[j].w * inv * inv * inv);
    }
    o[get_global_id(0)] = a;
}
