// run: k 16/4
// global: int 512 = iota
// expect: nothing
__kernel void k(__global int* a) {
    __global int* s = a + get_global_id(0) * 32;
    int stack[64], top = 0;
    stack[top++] = 0;
    stack[top++] = 31;
    for (int i = 0; i < 32; i++)
        s[i] = (s[i] * 73) % 101;
    while (top > 0) {
        int hi = stack[--top], lo = stack[--top];
        if (lo >= hi)
            continue;
        int p = s[hi], i = lo - 1;
        for (int j = lo; j < hi; j++)
            if (s[j] <= p) {
                i++;
                int t = s[i];
                s[i] = s[j];
                s[j] = t;
            }
        i++;
        int t = s[i];
        s[i] = s[hi];
        s[hi] = t;
        stack[top++] = lo;
        stack[top++] = i - 1;
        stack[top++] = i + 1;
        stack[top++] = hi;
    }
}
