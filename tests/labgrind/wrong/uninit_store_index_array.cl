// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 10
__kernel void k(__global const int* in, __global int* out) {
    int cnt[4], tmp[4];
    for (int i = 0; i < 4; i++)
        tmp[i] = 0;
    for (int i = 0; i < 4; i++)
        tmp[cnt[i] & 3] = i;
    out[get_global_id(0)] = tmp[1];
}
