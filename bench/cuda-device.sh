#!/bin/sh
# Runs the CUDA backend's suite on this machine's device: every kernel of the tests against the kernels' interpreter, then
# what the device does. Needs NVIDIA's driver and Java 25 (JAVA_HOME, or java on the path), nothing else; classes are what
#   ./mvnw -pl poot.backend.cuda -am test-compile
# leaves. -Dpoot.cuda.device=N (in JAVA_OPTIONS) chooses a device.
set -eu
cd "$(dirname "$0")/.."
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
classes=poot.api/target/classes:poot.core/target/classes:poot.backend.cuda/target/classes:poot.backend.cuda/target/test-classes
# shellcheck disable=SC2086
exec "$java" ${JAVA_OPTIONS:-} -Xmx4g --enable-native-access=ALL-UNNAMED -cp "$classes" poot.backend.cuda.DeviceSuite
