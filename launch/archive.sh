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
rm -rf "$work"
mkdir "$work"

failed() { # file: what was said
  cat "$1" >&2
  echo "poot: no class archive was made (above is why); poot runs without it, but starts more slowly" >&2
  exit 1
}
attempt() { # java option ... -> runs that, or fails
  POOT_HOME=$home "$java" "$@" >"$work/said" 2>&1 </dev/null || failed "$work/said"
}

# A server of the demo model, which answers a few requests and is told to stop; its classes go to $work/served.
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
POOT_HOME=$home "$java" -Xshare:off "-XX:DumpLoadedClassList=$work/served" "$@" serve --port 0 --name poot >"$work/server" 2>&1 </dev/null &
server=$!
until url=$(sed -n 's|^poot: \(http://[^ ]*\) serves .*|\1|p' "$work/server") && [ -n "$url" ]; do
  kill -0 "$server" 2>/dev/null || failed "$work/server"
  sleep 0.2
done
attempt "$@" load --target "poot=$url" --streams 2 --prompt 8 --output 8 --vocabulary 1024 --repeat 1
kill "$server"
wait "$server" || [ $? -eq 143 ] || failed "$work/server"
server=

# What an answer of the demo model loads, lambdas included, then what the server loaded, then every other class of poot:
# other commands and formats.
attempt -Xshare:off "-XX:DumpLoadedClassList=$work/classes" "$@" chat "What is the capital of France?"
sed '/ source: /d; s/ id: .*//' "$work/served" >>"$work/classes" # the numbers are those of the other list
for jar in "$modules"/poot.*.jar; do
  "$JAVA_HOME/bin/jar" --list --file "$jar" | sed -n '/module-info/d; s/\.class$//p'
done >>"$work/classes"
attempt -Xshare:dump "-XX:SharedClassListFile=$work/classes" "-XX:SharedArchiveFile=$work/archive" "$@"
mv "$work/archive" "$out"
