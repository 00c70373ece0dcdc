// run: k 256/64
// global: float 256 = iota
// local: uchar 1024
// global: float 4 = 0
// expect: nothing
typedef struct {
    float mn, mx;
    int arg;
    char tag;
} P;
P comb(P a, P b) {
    P r;
    r.mn = a.mn < b.mn ? a.mn : b.mn;
    r.mx = a.mx > b.mx ? a.mx : b.mx;
    r.arg = a.mx >= b.mx ? a.arg : b.arg;
    r.tag = 'x';
    return r;
}
__kernel void k(__global const float* d, __local P* s, __global float* o) {
    int l = get_local_id(0);
    P p;
    p.mn = p.mx = d[get_global_id(0)];
    p.arg = l;
    p.tag = 'a';
    s[l] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 32; i > 0; i /= 2) {
        if (l < i)
            s[l] = comb(s[l], s[l + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        P q = s[0];
        o[get_group_id(0)] = q.mx - q.mn + q.arg + (q.tag == 'x');
    }
}
