// run: t 256/64
// global: int 256 = iota
// local: int 64
// global: int 256 = 0
// expect: out-of-bounds 12
__kernel void t(__global int* data, __local int* t, volatile __global int* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    int p[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= 4; j++)
            p[i][j] = i;
    out[gid] = p[0][0];
}
