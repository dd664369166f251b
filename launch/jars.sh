# Looks at jars before Java does, which without a whole one does not start and says less. Sourced by poot and, in a
# runtime image, by bin/poot.

whole_jars() { # file ... -> says which of them is no jar and fails, if one is not
  for entry; do
    case $entry in *.jar) ;; *) continue ;; esac
    [ -f "$entry" ] || continue
    # A jar ends in a record that starts with PK 5 6.
    tail -c 65557 "$entry" | LC_ALL=C grep -q "$(printf 'PK\005\006')" || {
      echo "poot: $entry is not a jar, or not all of one: take it away, or copy it there again" >&2
      return 1
    }
  done
}

whole_path() { # module path -> the same of its jars and of the jars in its folders
  ( IFS=:
    set -f
    for place in $1; do
      set +f
      if [ -d "$place" ]; then whole_jars "$place"/*.jar || exit 1; else whole_jars "$place" || exit 1; fi
    done )
}
