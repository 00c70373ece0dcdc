// run: k 64/64
// global: uint 256 = 0
// expect: nothing
#define F(x, y, z) bitselect(z, y, x)
#define STEP(f, a, b, c, d, x, t, s) a += f(b, c, d) + x + t; a = rotate(a, (uint)s) + b;
typedef union { uchar b[64]; uint w[16]; } block;
__kernel void k(__global uint4 *o) {
    block m;
    for (int i = 0; i < 16; i++) m.w[i] = 0;
    uint g = get_global_id(0), len = 0;
    do { m.b[len++] = 'a' + g % 26; g /= 26; } while (g);
    m.b[len] = 0x80;
    m.w[14] = len * 8;
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    #pragma unroll
    for (int i = 0; i < 16; i += 4) {
        STEP(F, a, b, c, d, m.w[i], 0xd76aa478, 7)
        STEP(F, d, a, b, c, m.w[i + 1], 0xe8c7b756, 12)
        STEP(F, c, d, a, b, m.w[i + 2], 0x242070db, 17)
        STEP(F, b, c, d, a, m.w[i + 3], 0xc1bdceee, 22)
    }
    o[get_global_id(0)] = (uint4)(a, b, c, d);
}
