#!/bin/sh
# A starter whose kernel file says thirty thousand times that it is not implemented yet.
# from: starters
# lab: lab2
# expect: lab2 0

seq -f '// not implemented yet: ::error::<script>]]> %.0f' 30000 >> kernels/lab2_reduction_vector.cl
