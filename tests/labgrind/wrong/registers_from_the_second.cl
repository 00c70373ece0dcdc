// run: k 4/4
// global: float 16 = iota
// global: float 4
// expect: uninitialised 11
// says: only line 9 sets elements of mine
__kernel void k(__global const float* in, __global float* out) {
    float mine[4];
    for (uint i = 1; i < 4; ++i)
        mine[i] = in[i * get_local_size(0) + get_local_id(0)];
    for (uint i = 0; i < 4; ++i)
        out[get_global_id(0)] = i == 0 ? mine[i] : out[get_global_id(0)] + mine[i];
}
