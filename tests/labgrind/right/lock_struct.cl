// run: k 256/64
// global: uchar 16 = 0
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    int lock;
    int n;
    float sum;
    float mx;
} S;
__kernel void k(__global S* s, __global const float* d, __global float* o) {
    int l = get_local_id(0);
    if (l == 0) {
        while (atomic_cmpxchg(&s->lock, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        s->n += 1;
        s->sum += d[get_global_id(0)];
        s->mx = fmax(s->mx, d[get_global_id(0)]);
        o[0] = s->sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&s->lock, 0);
    }
}
