// run: k 128/64
// global: float 1024 = iota
// global: float 1024 = 0
// expect: nothing
typedef struct {
    float3 pos;
    float mass;
    int id;
} P; /* 32 bytes */
typedef struct __attribute__((packed)) {
    uchar tag;
    float v;
} Q;
__kernel void k(__global const P* in, __global P* out) {
    __local P s[32];
    __local Q q[64];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 32)
        s[l] = in[get_group_id(0) * 32 + l];
    q[l].tag = l;
    q[l].v = l * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    P me = s[l % 32];
    Q other = q[63 - l];
    me.pos += (float3)(other.v, other.tag, 1);
    me.id = g;
    out[g] = me;
}
