// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// local: char 256
// local: char 256
// expect: nothing
#define SWAP(a,b) {__local float*tmp=a;a=b;b=tmp;}
__kernel void k(__global float* d, __global float* o, __local float* a, __local float* b){ uint gid=get_global_id(0),lid=get_local_id(0),ls=get_local_size(0); a[lid]=b[lid]=d[gid];barrier(CLK_LOCAL_MEM_FENCE);for(uint i=1;i<ls;i<<=1){ if(lid>(i-1)) b[lid]=a[lid]+a[lid-i]; else b[lid]=a[lid];barrier(CLK_LOCAL_MEM_FENCE);SWAP(a,b);} o[gid]=a[lid];}
