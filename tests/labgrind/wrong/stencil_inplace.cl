// run: st 16x16/8x8
// global: float 256 = iota
// expect: data-race 8
__kernel void st(__global float* in) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == 15 || y == 15)
        return;
    in[y * 16 + x] = 0.25f * (in[y * 16 + x - 1] + in[y * 16 + x + 1] + in[(y - 1) * 16 + x] +
                              in[(y + 1) * 16 + x]);
}
