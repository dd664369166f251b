#!/bin/sh
# Runs poot from its runtime image, in whose bin folder this lies; jars in its plugins folder join the module path.
set -eu
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
home=$(cd "$(dirname "$self")/.." && pwd)
. "$home/lib/jars.sh"

set -- --module poot.serve/poot.serve.Main "$@"

plugged=
for entry in "$home"/plugins/*.jar "$home"/plugins/*/module-info.class; do
  [ -e "$entry" ] || continue
  plugged=$home/plugins
done
path=$plugged${plugged:+${POOT_PLUGINS:+:}}${POOT_PLUGINS:-}
if [ -n "$path" ]; then
  whole_path "$path" || exit 1
  set -- --module-path "$path" "$@"
fi

archive=$home/lib/poot.jsa
[ ! -r "$archive" ] || set -- "-XX:SharedArchiveFile=$archive" "$@"
POOT_HOME=$home exec "$home/bin/java" @"$home/conf/poot.options" "$@"
