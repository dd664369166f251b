#!/bin/sh
# Makes a class archive, which a cold start maps instead of reading, checking and linking classes:
#   archive.sh HOME OUT MODULES JAVA OPTION...
# HOME holds models/poot-tiny, MODULES the jars whose classes are archived, and JAVA OPTION... starts poot without a
# command. A start that the archive does not fit (another Java, a jar that was replaced) goes on without it.
# Called by poot and image.sh with JAVA_HOME set; on failure nothing is made and the reason is said.
set -eu
home=$1
out=$2
modules=$3
java=$4
shift 4
work=$out.part.$$
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir "$work"

# What an answer of the demo model loads, lambdas included, then every other class of poot: other commands and formats.
attempt() {
  POOT_HOME=$home "$java" "$@" >"$work/said" 2>&1 </dev/null || {
    cat "$work/said" >&2
    echo "poot: no class archive was made (above is why); poot runs without it, but starts more slowly" >&2
    exit 1
  }
}
attempt -Xshare:off "-XX:DumpLoadedClassList=$work/classes" "$@" chat "What is the capital of France?"
for jar in "$modules"/poot.*.jar; do
  "$JAVA_HOME/bin/jar" --list --file "$jar" | sed -n '/module-info/d; s/\.class$//p'
done >>"$work/classes"
attempt -Xshare:dump "-XX:SharedClassListFile=$work/classes" "-XX:SharedArchiveFile=$work/archive" "$@"
mv "$work/archive" "$out"
