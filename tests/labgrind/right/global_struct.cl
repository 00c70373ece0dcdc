// run: k 256/64
// global: uchar 6144 = 0
// global: float 256 = 0
// expect: nothing
typedef struct {
    float x;
    char c;
    double y;
} P;
__kernel void k(__global P* p, __global float* o) {
    int g = get_global_id(0);
    P q;
    q.x = g;
    q.y = 2 * g;
    q.c = 1;
    p[g] = q;
    barrier(CLK_GLOBAL_MEM_FENCE);
    P r = p[get_group_id(0) * 64 + (get_local_id(0) + 1) % 64];
    o[g] = r.x + r.y + r.c;
}
