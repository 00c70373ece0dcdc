// run: k 64/64
// global: int 4096 = 0
// global: int 64 = 0
// expect: nothing
// a group works through a tree level by level, its queue in local memory
__kernel void k(__global int* visited, __global int* per_item) {
    __local int q[2][128];
    __local int n[2];
    int l = get_local_id(0), cur = 0, done = 0;
    if (l == 0) {
        q[0][0] = 1;
        n[0] = 1;
        n[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (n[cur] > 0) {
        for (int i = l; i < n[cur]; i += get_local_size(0)) {
            int v = q[cur][i];
            visited[v] = 1;
            done++;
            if (2 * v + 1 < 128) {
                int at = atomic_add(&n[1 - cur], 2);
                q[1 - cur][at] = 2 * v;
                q[1 - cur][at + 1] = 2 * v + 1;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            n[cur] = 0;
        cur = 1 - cur;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    per_item[l] = done;
}
