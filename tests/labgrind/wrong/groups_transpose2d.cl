// run: t 16x16/8x8
// global: float 256 = iota
// expect: data-race 6
__kernel void t(__global float* m) {
    int x = get_global_id(0), y = get_global_id(1);
    m[y * 16 + x] = m[x * 16 + y];
}
