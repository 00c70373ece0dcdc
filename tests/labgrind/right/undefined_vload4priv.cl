// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float r[4];
    r[0] = d[g];
    r[1] = 1;
    r[2] = 2;
    float4 v = vload4(0, r);
    o[g] = v.x * v.y + v.z - 2;
}
