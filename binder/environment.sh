# What holds when the image is built and when it runs. Compiled code is found again only under the same NUMBA_CPU_NAME.
export NUMBA_CPU_NAME=generic
# A container sees all cores of its host and may use few of them: CPU_LIMIT is what the hub grants, one if it is silent.
threads="${CPU_LIMIT:-1}"
threads="${threads%%.*}"
case "$threads" in "" | 0 | *[!0-9]*) threads=1 ;; esac
export NUMBA_NUM_THREADS="$threads" OMP_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads" GOMP_SPINCOUNT=1000
