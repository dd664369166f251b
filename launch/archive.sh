#!/bin/sh
# Makes a class archive, which a cold start maps instead of reading, checking and linking classes:
#   archive.sh HOME OUT MODULES JAVA OPTION...
# HOME holds models/poot-tiny, MODULES the jars whose classes are archived, and JAVA OPTION... starts poot without a
# command. A start that the archive does not fit (another Java, a jar that was replaced) goes on without it.
# Called by poot and image.sh with JAVA_HOME set; on failure nothing is made and the reason is said. Where no server can be
# run (no loopback, say), the archive is without a server's classes. A signal leaves nothing, neither files nor the server.
set -eu
home=$1
out=$2
modules=$3
java=$4
shift 4
work=$out.part.$$

server=
clean() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$work"
}
interrupted() { # signal -> cleans up and ends by it, so that whoever called ends too
  trap - EXIT "$1"
  clean
  kill -s "$1" $$
}
trap clean EXIT
for signal in HUP INT TERM; do
  trap "interrupted $signal" "$signal"
done
rm -rf "$work"
mkdir "$work"

# The settings of other servers are not for the one below.
for name in $(env | sed -n 's/^\(POOT_SERVE_[A-Z0-9_]*\)=.*/\1/p'); do
  unset "$name"
done

run() { # file, java option ... -> runs that; what it says goes to the file
  said=$1
  shift
  POOT_HOME=$home "$java" "$@" >"$said" 2>&1 </dev/null
}
attempt() { # java option ... -> runs that, or fails
  run "$work/said" "$@" || {
    cat "$work/said" >&2
    echo "poot: no class archive was made (above is why); poot runs without it, but starts more slowly" >&2
    exit 1
  }
}

# A server of the demo model, which answers a few requests and is told to stop; its classes go to $work/served.
begin() { # java option ... -> starts it and says where it is in $url, or fails
  : >"$work/server"
  POOT_HOME=$home "$java" -Xshare:off "-XX:DumpLoadedClassList=$work/served" "$@" serve --port 0 --name poot >"$work/server" 2>&1 </dev/null &
  server=$!
  looks=0
  until url=$(sed -n 's|^poot: \(http://[^ ]*\) serves .*|\1|p' "$work/server") && [ -n "$url" ]; do
    kill -0 "$server" 2>/dev/null || return 1
    looks=$((looks + 1))
    [ "$looks" -lt 3000 ] || return 1 # ten minutes
    sleep 0.2 2>/dev/null || sleep 1
  done
}
end() { # tells it to stop and waits; fails where it ends otherwise than by that
  kill "$server" 2>/dev/null || true
  status=0
  wait "$server" || status=$?
  server=
  [ "$status" -eq 0 ] || [ "$status" -eq 143 ]
}
if begin "$@" && run "$work/load" "$@" load --target "poot=$url" --streams 2 --prompt 8 --output 8 --vocabulary 1024 --repeat 1 --limit 600 && end; then
  :
else
  [ -z "$server" ] || end || true
  cat "$work/server" >&2
  [ ! -e "$work/load" ] || cat "$work/load" >&2
  echo "poot: the class archive is without a server's classes (above is why); \`poot serve\` starts more slowly" >&2
  : >"$work/served"
fi

# What an answer of the demo model loads, lambdas included, then what the server loaded, then every other class of poot:
# other commands and formats.
attempt -Xshare:off "-XX:DumpLoadedClassList=$work/classes" "$@" chat "What is the capital of France?"
sed '/ source: /d; s/ id: .*//' "$work/served" >>"$work/classes" # the numbers are those of the other list
for jar in "$modules"/poot.*.jar; do
  "$JAVA_HOME/bin/jar" --list --file "$jar" | sed -n '/module-info/d; s/\.class$//p'
done >>"$work/classes"
attempt -Xshare:dump "-XX:SharedClassListFile=$work/classes" "-XX:SharedArchiveFile=$work/archive" "$@"
mv "$work/archive" "$out"
