#!/bin/sh
# Writes the bindings in poot.backend.cuda.ffi anew from cuda.h: generate.sh JEXTRACT CUDA_H [JEXTRACT_OPTION...]
#
# JEXTRACT is a jextract command for Java 25, CUDA_H the header of a CUDA toolkit (13.0 when this was last run). What is
# bound is listed in includes.txt beside this script. __CUDA_API_VERSION_INTERNAL makes the header declare each entry point
# by the name that the library exports, and older forms of it too. Afterwards:
#   - symbols are looked up by CudaLibrary, which knows the library's names on each system and says what is missing;
#   - size_t is 64 bits on every system poot runs on, and so is what jextract calls long here: Windows' long is not;
#   - tracing to standard output is left out;
#   - arenas are owned by callers alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jextract=$1
header=$2
shift 2
out=$here/../src/main/java
package=$out/poot/backend/cuda/ffi
# shellcheck disable=SC2046
"$jextract" -D __CUDA_API_VERSION_INTERNAL=1 "$@" $(grep -v '^#' "$here/includes.txt") --header-class-name Cuda \
    --target-package poot.backend.cuda.ffi --output "$out" "$header"
for file in "$package/Cuda.java" "$package/Cuda\$shared.java" "$package"/CUDA_*.java; do
    sed -i \
        -e '/static final Arena LIBRARY_ARENA/,+1d' \
        -e '/SYMBOL_LOOKUP = SymbolLookup/{N;s/SymbolLookup\.loaderLookup().*/CudaLibrary.symbols();/}' \
        -e '/static void traceDowncall/,/^    }/d' \
        -e '/if (TRACE_DOWNCALLS)/,/}/d' \
        -e '/TRACE_DOWNCALLS/d' \
        -e 's/get("long")/get("long long")/' \
        -e 's/^public class/@SuppressWarnings({"restricted", "unused"})\npublic class/' \
        "$file"
done
