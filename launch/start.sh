#!/bin/sh
# Runs poot from its runtime image, in whose bin folder this lies; jars in its plugins folder join the module path.
set -eu
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
home=$(cd "$(dirname "$self")/.." && pwd)

set -- --module poot.serve/poot.serve.Main "$@"

plugged=
for entry in "$home"/plugins/*.jar "$home"/plugins/*/module-info.class; do
  [ -e "$entry" ] || continue
  plugged=$home/plugins
  # A jar ends in a record that starts with PK 5 6; without it Java would not start at all.
  case $entry in *.jar)
    tail -c 65557 "$entry" | LC_ALL=C grep -q "$(printf 'PK\005\006')" || {
      echo "poot: $entry is not a jar, or not all of one: take it away, or copy it there again" >&2
      exit 1
    } ;;
  esac
done
path=$plugged${plugged:+${POOT_PLUGINS:+:}}${POOT_PLUGINS:-}
[ -z "$path" ] || set -- --module-path "$path" "$@"

archive=$home/lib/poot.jsa
[ ! -r "$archive" ] || set -- "-XX:SharedArchiveFile=$archive" "$@"
POOT_HOME=$home exec "$home/bin/java" @"$home/conf/poot.options" "$@"
