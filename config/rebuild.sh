# Sourced by ./bench, ./rlsm and ./ycsb, which run from a checkout. In POSIX sh.

# rebuild ROOT MODULE DEPENDENCY...: packages MODULE with the modules that it depends on, if one of
# their sources is newer than the last build. Any file or folder of src counts, so a deleted source
# counts too. ./check runs the tests and the checks of the gate, so this build skips them.
rebuild() {
  rebuild_root=$1
  rebuild_module=$2
  rebuild_stamp=$1/$2/target/rebuilt
  shift
  if [ -e "$rebuild_stamp" ] && [ -z "$(rebuild_changed "$@")" ]; then
    return 0
  fi
  if ! command -v mvn >/dev/null; then
    echo "cannot build $rebuild_module: no mvn on the PATH; install Maven 3.8 or newer" >&2
    return 1
  fi
  echo "building $rebuild_module (only when sources have changed)" >&2
  mkdir -p "$rebuild_root/$rebuild_module/target"
  # The stamp predates the build: a source that changes during the build is built next time.
  touch "$rebuild_stamp.new"
  rm -f "$rebuild_stamp" "$rebuild_root/$rebuild_module"/target/*.jar
  (cd "$rebuild_root" && mvn -q -B -ntp -Dstyle.color=never -P '!error-prone' \
    -pl "$rebuild_module" -am package -DskipTests -Denforcer.skip -Dforbiddenapis.skip \
    -Dspotless.check.skip -Dmaven.compiler.failOnWarning=false >&2) || return 1
  mv "$rebuild_stamp.new" "$rebuild_stamp"
}

# Prints a path of the modules that has changed since the last build, if any.
rebuild_changed() (
  cd "$rebuild_root" || exit 1
  paths=pom.xml
  for module in "$@"; do
    paths="$paths $module/pom.xml $module/src"
  done
  # shellcheck disable=SC2086 # paths is a list
  find $paths -newer "$rebuild_stamp" 2>/dev/null | head -n 1
)
