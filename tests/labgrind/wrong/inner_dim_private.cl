// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 13
__kernel void k(__global const float* in, __global float* out) {
    float m[3][4];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = in[get_global_id(0)] + r;
    float s = 0;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++)
            s += m[0][c + r];
    out[get_global_id(0)] = s;
}
