// run: k 256/64
// global: float 256 = 0
// expect: nothing
typedef struct {
    float4 a;
    int b[20];
} P;
__kernel void k(__global float* o) {
    P p = {0};
    int arr[40] = {1, 2, 3};
    p.b[3] = 7;
    const int tab[5] = {1, 2, 3, 4, 5};
    int s = 0;
    for (int i = 0; i < 40; i++)
        s += arr[i];
    for (int i = 0; i < 20; i++)
        s += p.b[i];
    o[get_global_id(0)] = s + p.a.w + tab[get_local_id(0) % 5];
}
