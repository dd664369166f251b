# Finds a JDK 25 or newer and puts its home into JAVA_HOME; says what to do where there is none.
# Sourced by poot, check and mvnw. POOT_JAVA_HOME names one explicitly.

jdk_major() { # home -> major version, or 0
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || { echo 0; return; }
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" | grep . || echo 0
}

find_jdk() {
  if [ -n "${POOT_JAVA_HOME:-}" ]; then
    [ "$(jdk_major "$POOT_JAVA_HOME")" -ge 25 ] && { JAVA_HOME=$POOT_JAVA_HOME; return 0; }
    echo "poot: POOT_JAVA_HOME=$POOT_JAVA_HOME is not a JDK 25 or newer" >&2
    return 1
  fi
  on_path=$(command -v javac 2>/dev/null || true)
  while [ -n "$on_path" ] && [ -L "$on_path" ]; do
    link=$(readlink "$on_path")
    case $link in /*) on_path=$link ;; *) on_path=$(dirname "$on_path")/$link ;; esac
  done
  newest=""
  newest_major=0
  for home in "${JAVA_HOME:-}" "${on_path:+$(dirname "$(dirname "$on_path")")}" \
      /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/*jdk* "$HOME"/.jdks/* "$HOME"/.sdkman/candidates/java/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -d "$home" ] || continue
    major=$(jdk_major "$home")
    [ "$major" -eq 25 ] && { JAVA_HOME=$home; return 0; }
    [ "$major" -gt 25 ] && [ "$major" -gt "$newest_major" ] && { newest=$home; newest_major=$major; }
  done
  [ -n "$newest" ] && { JAVA_HOME=$newest; return 0; }
  cat >&2 <<'EOF'
poot: no JDK 25 found.
Looked at JAVA_HOME, javac on the PATH, /usr/lib/jvm, /usr/java, /opt, ~/.jdks, ~/.sdkman and /Library/Java.
Install one (Temurin, Oracle, Zulu, Corretto … 25 or newer), or set POOT_JAVA_HOME to where it lies.
EOF
  return 1
}

find_jdk || exit 1
export JAVA_HOME
