// run: k 64/64
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* total) {
    int n = 8, g = get_global_id(0), a = g / 8, b = g % 8, count = 0;
    if (a == b || abs(a - b) == 1)
        return;
    uint cols[9], d1[9], d2[9], todo[9];
    int depth = 2;
    cols[2] = (1u << a) | (1u << b);
    d1[2] = (((1u << a) << 1) | (1u << b)) << 1;
    d2[2] = (((1u << a) >> 1) | (1u << b)) >> 1;
    todo[2] = ~(cols[2] | d1[2] | d2[2]) & 255;
    while (depth >= 2) {
        if (todo[depth] == 0) {
            depth--;
            continue;
        }
        uint bit = todo[depth] & -todo[depth];
        todo[depth] ^= bit;
        if (depth == n - 1) {
            count++;
            continue;
        }
        cols[depth + 1] = cols[depth] | bit;
        d1[depth + 1] = (d1[depth] | bit) << 1;
        d2[depth + 1] = (d2[depth] | bit) >> 1;
        depth++;
        todo[depth] = ~(cols[depth] | d1[depth] | d2[depth]) & 255;
    }
    atomic_add(total, count);
}
