// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 10
__kernel void k(__global const float* in, __global float* out) {
    __local float t[20];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = vload4(0, t + l);
    out[get_global_id(0)] = v.x + v.y + v.z + v.w;
}
