# Sourced by the scripts beside it: finds Java, builds what they run if its sources have changed, and runs it.

fail() {
  echo "$name: $*" >&2
  exit 2
}

# Arguments: the name of the script, its module, and the file that its build makes.
prepare() {
  name=$1
  local module=$2 built=$home/$3
  find_java
  if is_outdated "$module" "$built"; then
    build "$module" "${built%/*}/$name-build.log"
    # A plugin may leave a file alone that would not change.
    touch "$built"
  fi
}

find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "needs JDK 17 or newer, but JAVA_HOME is '$JAVA_HOME', where there is no bin/java"
  else
    java=$(command -v java) || fail "needs JDK 17 or newer: put its java on PATH, or set JAVA_HOME"
  fi
  local version
  version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 17 ] || fail "needs JDK 17 or newer, but '$java' is version ${version:-unknown}"
}

is_outdated() {
  [ ! -f "$2" ] || [ -n "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main "$home/$1"/pom.xml "$home/$1"/src/main \
    -newer "$2" -print -quit)" ]
}

build() {
  "${java%java}javac" -version > /dev/null 2>&1 || fail "needs a JDK to build, but beside '$java' there is no javac"
  echo "$name: building, which takes about a minute the first time ..." >&2
  mkdir -p "${2%/*}"
  # Without tests and checks, which ./mvnw verify runs.
  if ! (cd "$home" && ./mvnw -q -B -ntp -pl "$1" -am package -Dmaven.test.skip -Dmaven.source.skip \
    -Dmaven.javadoc.skip -Dspotless.check.skip > "$2" 2>&1); then
    cat "$2" >&2
    fail "the build failed; its output is above, and in $2"
  fi
}

# Arguments: those of Java.
launch() {
  # Java decodes arguments and encodes the names of files by the locale, and in C and POSIX that is ASCII.
  if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then
    export LC_ALL=C.UTF-8
  fi
  # JDK 24 and newer warn of what Guice does; JDK 17 does not know the option and ignores it.
  exec "$java" -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow "$@"
}
