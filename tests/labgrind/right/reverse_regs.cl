// run: k 32/8
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    float r[8];
    for (int i = 0; i < 8; i++)
        r[i] = d[get_global_id(0) * 8 + i];
    for (int i = 0; i < 4; i++) {
        float t = r[i];
        r[i] = r[7 - i];
        r[7 - i] = t;
    }
    vstore8(vload8(0, r), get_global_id(0), o);
}
