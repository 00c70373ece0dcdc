// run: BFS_1 256/64
// global: int 257 = iota
// global: char 256 = 1
// global: char 256 = 0
// global: char 256 = 0
// global: int 256 = 5
// value: int 256
// expect: nothing
// every node of the mask has the same cost: what several write is the same
__kernel void BFS_1(const __global int* starting, __global char* g_graph_mask,
                    __global char* g_updating_graph_mask, __global char* g_graph_visited,
                    __global int* g_cost, const int no_of_nodes) {
    int tid = get_global_id(0);
    if (tid < no_of_nodes && g_graph_mask[tid] && tid < 32) {
        g_graph_mask[tid] = false;
        for (int i = starting[tid]; i < starting[tid + 1] + 2; i++) {
            int id = 40 + (i * 5) % 100;
            if (!g_graph_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating_graph_mask[id] = true;
            }
        }
    }
}
