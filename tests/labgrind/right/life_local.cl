// run: life 32x32/16x16
// global: char 1024 = iota
// global: char 1024 = 0
// expect: nothing
__kernel void life(__global const char* in, __global char* out) {
    __local char t[18][18];
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0),
        y = get_global_id(1), n = 32;
#define AT(yy, xx) (in[(((yy) + n) % n) * n + ((xx) + n) % n] & 1)
    t[ly][lx] = AT(y, x);
    if (lx == 1)
        t[ly][0] = AT(y, x - 1);
    if (lx == 16)
        t[ly][17] = AT(y, x + 1);
    if (ly == 1)
        t[0][lx] = AT(y - 1, x);
    if (ly == 16)
        t[17][lx] = AT(y + 1, x);
    if (lx == 1 && ly == 1)
        t[0][0] = AT(y - 1, x - 1);
    if (lx == 16 && ly == 1)
        t[0][17] = AT(y - 1, x + 1);
    if (lx == 1 && ly == 16)
        t[17][0] = AT(y + 1, x - 1);
    if (lx == 16 && ly == 16)
        t[17][17] = AT(y + 1, x + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j)
                s += t[ly + j][lx + i];
    out[y * n + x] = s == 3 || (s == 2 && t[ly][lx]);
}
