#!/bin/sh
# Makes a runtime image: image.sh ROOT MODULES [--output DIR]. Called by `poot image`.
set -eu
root=$1
modules=$2
shift 2
out=$root/build/image
while [ $# -gt 0 ]; do
  case $1 in
    --output) [ $# -ge 2 ] || { echo "poot image: --output needs a folder" >&2; exit 2; }; out=$2; shift 2 ;;
    -h | --help)
      echo "Usage: poot image [--output DIR]"
      echo "Makes a self-contained runtime image (default build/image): bin/poot runs it with no JDK installed."
      echo "A backend's jar dropped into its plugins folder is found at the next start."
      exit 0 ;;
    *) echo "poot image: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done

part=$out.part.$$
trap 'rm -rf "$part"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
rm -rf "$part"
echo "poot: linking $out" >&2
"$JAVA_HOME/bin/jlink" --module-path "$modules" --add-modules "$(
    for jar in "$modules"/poot.*.jar; do basename "$jar" | sed 's/-[0-9].*//'; done | paste -sd, -)" \
  --strip-debug --no-header-files --no-man-pages --compress zip-6 --output "$part" >&2
mkdir -p "$part/plugins" "$part/models"
mkdir "$part/models/poot-tiny"
for file in README.md config.json generation_config.json special_tokens_map.json tokenizer.json tokenizer_config.json model.safetensors; do
  cp "$root/models/poot-tiny/$file" "$part/models/poot-tiny/"
done
cp "$root/launch/java.options" "$part/conf/poot.options"
cp "$root/LICENSE" "$part/LICENSE"
cat >"$part/plugins/README" <<'EOF'
Put a backend's jar here: `poot backends` lists it at the next start.
EOF
cp "$root/launch/jars.sh" "$part/lib/jars.sh"
cp "$root/launch/start.sh" "$part/bin/poot"
chmod +x "$part/bin/poot"
echo "poot: archiving classes" >&2
"$root/launch/archive.sh" "$part" "$part/lib/poot.jsa" "$modules" "$part/bin/java" @"$part/conf/poot.options" \
  --module poot.serve/poot.serve.Main || true
rm -rf "$out"
mv "$part" "$out"
trap - EXIT HUP INT TERM
du -sh "$out" | sed 's/^/poot: /' >&2
echo "poot: run it with $out/bin/poot" >&2
