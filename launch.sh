# Sourced by the scripts beside it: finds Java, builds what they run if its sources have changed, and runs it.

fail() {
  echo "$name: $*" >&2
  exit 2
}

# Arguments: the name of the script, its module, and the file that its build makes.
prepare() {
  name=$1
  local module=$2 built=$home/$3
  use_utf8
  find_java
  if is_outdated "$module" "$built"; then
    build "$module" "${built%/*}/$name-build.log"
    # A plugin may not write a file whose content would be the same.
    touch "$built"
  fi
}

# Java decodes arguments and encodes the names of files by the locale, and in C and POSIX that is ASCII.
use_utf8() {
  if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then
    export LC_ALL=C.UTF-8
  fi
}

find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "needs JDK 17 or newer, but JAVA_HOME is '$JAVA_HOME', which has no bin/java: set it to the directory of a JDK"
  else
    java=$(command -v java) || fail "needs JDK 17 or newer: put its java on PATH, or set JAVA_HOME"
  fi
  # Reading the file "release" takes no time; "java -version" takes a tenth of the time of a short command.
  local release
  release=$(dirname "$(dirname "$(readlink -f "$java")")")/release
  jvm=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)".*/\1/p' "$release" 2> /dev/null) || jvm=
  [ -n "$jvm" ] || jvm=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  local version=${jvm%%[.+-]*}
  [ "${version:-0}" -ge 17 ] || fail "needs JDK 17 or newer, but '$java' is version ${version:-unknown}: set JAVA_HOME to the directory of a newer JDK"
}

is_outdated() {
  [ ! -f "$2" ] || [ -n "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main "$home/$1"/pom.xml "$home/$1"/src/main \
    -newer "$2" -print -quit)" ]
}

build() {
  "${java%java}javac" -version > /dev/null 2>&1 || fail "needs a JDK to build, but there is no javac beside '$java': set JAVA_HOME to the directory of a JDK"
  echo "$name: building, which takes a minute or two the first time ..." >&2
  mkdir -p "${2%/*}"
  # Without tests and checks, which ./mvnw verify runs.
  if ! (cd "$home" && ./mvnw -B -ntp -pl "$1" -am package -Dmaven.test.skip -Dkit.skip -Dmaven.source.skip \
    -Dmaven.javadoc.skip -Dspotless.check.skip -Denforcer.skip -Dflatten.skip \
    -Djavac.checks=-nowarn -Djavac.lint=-Xlint:none 2>&1 | tee "$2" | show_progress); then
    cat "$2" >&2
    fail "the build failed; its output is above, and in $2"
  fi
  # Makes Maven compile the sources again in ./mvnw verify, which checks them.
  rm -rf "$home"/*/target/maven-status "$home/$1/target/maven-status"
}

# Prints which module Maven builds, always in the same line if this is a terminal.
show_progress() {
  local line
  while read -r line; do
    if [[ $line =~ ^\[INFO\]\ Building\ (.*)\ [^\ ]+\ +\[([0-9]+)/([0-9]+)\]$ ]]; then
      line="$name: building ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]}"
      if [ -t 2 ]; then printf '\r\033[K%s' "$line" >&2; else echo "$line" >&2; fi
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# Lets Java map the classes of a short run into memory instead of reading and checking each, which halves the time of a start.
# The archive is for one version of Java and one build. It is beside the jar.
# Arguments: the jar, and the arguments of a run that loads these classes.
share_classes() {
  local jar=$1 archive=${1%.jar}-$jvm.jsa
  if [ "$archive" -ot "$jar" ]; then
    echo "$name: preparing faster starts ..." >&2
    make_archive "$archive" "$@"
  fi
  if [ -s "$archive" ]; then
    # If Java rejects the archive, it starts without it. It must not report this among the results.
    sharing=(-XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr)
  fi
}

# Leaves an empty file if it fails, so that later runs do not try again.
make_archive() {
  local archive=$1 jar=$2 made=$1.$$
  shift 2
  # JDK 17 crashes on archived lambdas of class files as old as picocli's.
  "$java" -XX:DumpLoadedClassList="$made.all" -XX:+UseSerialGC -jar "$jar" "$@" > /dev/null 2>&1 &&
    sed '/^@lambda-proxy.*picocli/d' "$made.all" > "$made.classes" &&
    "$java" -Xshare:dump -XX:SharedClassListFile="$made.classes" -XX:SharedArchiveFile="$made" -XX:+UseSerialGC \
      -cp "$jar" > "$made.log" 2>&1 ||
    { rm -f "$made" && : > "$made"; }
  touch -r "$jar" "$made"
  mv -f "$made" "$archive"
  rm -f "$made".*
}

# Arguments: those of Java.
launch() {
  # Java takes the home directory from the user database, where a container often has no entry.
  local home_directory=()
  case ${HOME:-} in /*) home_directory=(-Duser.home="$HOME") ;; esac
  # Java would open a file of its own as a closed standard input, and a command would read that file.
  { : 3<&0; } 2> /dev/null || exec < /dev/null
  # JDK 24 and newer warn of what Guice does; JDK 17 does not know the option and ignores it.
  exec "$java" -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow \
    ${home_directory[@]+"${home_directory[@]}"} ${sharing[@]+"${sharing[@]}"} "$@"
}
