#!/bin/sh
# Runs on a machine that has an NVIDIA device what is otherwise run over the test driver, then measures:
#   1. every kernel of the tests on the device beside the kernels' interpreter; what it copies, reads and multiplies;
#   2. the goldens of the families (logits, greedy ids) and products with every packed format but MXFP4 in pairs;
#   3. prefill and decode of models of 1 and 8 billion weights, BF16 and Q4_K_M.
# Needs NVIDIA's driver and Java 25 (JAVA_HOME, or java on the path), nothing else. First, where there is a build,
#   bench/cuda-device.sh prepare        puts all it runs into build/cuda-device (to be carried along)
# then, on that machine,
#   bench/cuda-device.sh [1] [2] [3] [tiny]   writes to $OUT (build/cuda-device-out); "tiny" measures small models in 3.
# JAVA_OPTIONS: -Dpoot.cuda.device=N chooses a device, -Dpoot.shared=DIR says where shared test data lies.
# BESIDE: a command for `poot bench --beside`, another engine measured in the same run.
set -eu
cd "$(dirname "$0")/.."
prepared=$PWD/build/cuda-device

if [ "${1:-}" = prepare ]; then
  rm -rf "$prepared"
  ./mvnw -B -ntp -q -pl layer-tests -am -DskipTests package dependency:copy-dependencies -DincludeScope=test -DoutputDirectory="$prepared"
  (cd layer-tests/target/test-classes && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" --create --file "$prepared/layer-tests.jar" .)
  du -sh "$prepared"
  exit 0
fi

out=${OUT:-$PWD/build/cuda-device-out}
mkdir -p "$out"
sizes="1b 8b"
parts=
for word in "$@"; do
  case $word in
    1|2|3) parts="$parts $word" ;;
    tiny) sizes=tiny ;;
    *) echo "cuda-device.sh: $word: give 1, 2, 3, tiny or prepare" >&2; exit 2 ;;
  esac
done
shared=${SHARED:-../shared}
[ -d "$shared" ] || shared=$PWD/shared
run() {
  # shellcheck disable=SC2086
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx8g --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
    -Dpoot.shared="$shared" ${JAVA_OPTIONS:-} -cp "$prepared/*" "$@"
}

failed=0
for part in ${parts:-1 2 3}; do
  case $part in
    1) run poot.backend.cuda.DeviceSuite "$out/device.json" || failed=1 ;;
    2) run poot.device.DeviceChecks cuda "$out/checks.json" || failed=1 ;;
    3) for size in $sizes; do
         run poot.serve.Main bench --backend cuda --shape "$size" --formats BF16,Q4_K_M --prefill 512 --decode 64 --context 0,1024 \
           --repeat 3 --warm-up 1 ${BESIDE:+--beside "$BESIDE"} --json "$out/bench-$size.json" || failed=1
       done ;;
  esac
done
exit $failed
