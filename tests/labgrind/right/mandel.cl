// run: k 256/64
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* o) {
    float x = get_global_id(0) / 256.0f * 3 - 2, a = 0, b = 0;
    int i = 0;
    while (a * a + b * b < 4 && i < 2000) {
        float t = a * a - b * b + x;
        b = 2 * a * b;
        a = t;
        i++;
    }
    o[get_global_id(0)] = i;
}
