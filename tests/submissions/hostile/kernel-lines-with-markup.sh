#!/bin/sh
# A race at a line full of workflow commands, markup and escapes, which the verdict quotes.
# from: solutions
# lab: lab2
# expect: lab2 below full

{
    printf '#define partial_results_(x) partial_results[x] /* ::error file=x,line=1::a ##[error]b <script>alert(1)</script> ]]> ``` | \033[31m\033]0;t\007 %%0A\r \377\376 \342\200\256 */\n'
    sed '/^ *barrier(CLK_LOCAL_MEM_FENCE);/d; s/partial_results\[lid\] = .*/& \/* ::error file=x,line=1::a ##[error]b <script>alert(1)<\/script> ]]> ``` | {{7*7}} =1+1 *\//' kernels/lab2_reduction_vector.cl
} > hostile.tmp
mv hostile.tmp kernels/lab2_reduction_vector.cl
