# What `heddle cc` and `heddle c++` run: the user's compiler with what Heddle needs added, and nothing else changed. A shell script, because builds
# call their compiler hundreds of times and starting Node costs more than most of these calls. src/native/toolchain.ts writes it beside the
# runtime, with these in front:
#   HEDDLE_FOLDER    the folder of the runtime
#   HEDDLE_LANGUAGE  C or C++
#   HEDDLE_COMPILER  the compiler, HEDDLE_KIND gcc or clang; found when HEDDLE_CC (HEDDLE_CXX) was HEDDLE_NAMED
#   HEDDLE_COMPILE   what else it is given, in words without spaces
# docs/native.md says what is added and why.

if [ "$HEDDLE_LANGUAGE" = C ]; then us='heddle cc' variable=HEDDLE_CC named=${HEDDLE_CC-}; else us='heddle c++' variable=HEDDLE_CXX named=${HEDDLE_CXX-}; fi
cc=$HEDDLE_COMPILER
kind=$HEDDLE_KIND
if [ -n "$named" ] && [ "$named" != "$HEDDLE_NAMED" ]; then
  cc=$named
  case $("$cc" --version 2>/dev/null) in *clang*) kind=clang ;; *) kind=gcc ;; esac
fi

refuse() {
  printf '%s: %s\n' "$us" "$1" >&2
  exit 2
}

[ -n "$cc" ] || refuse "There is no $HEDDLE_LANGUAGE compiler here. Install one, as with \`apt install g++\`, or name it in $variable."

# `--only files,locks,memory`, first of all: calls are seen whatever the compiler does, so nothing is put before reads and writes.
only=
case ${1-} in
  --only) only=${2-} && shift && [ $# -eq 0 ] || shift ;;
  --only=*) only=${1#--only=} && shift ;;
esac
case $only in
  '') ;;
  *)
    for word in $(printf '%s' "$only" | tr ',' ' '); do
      case $word in files | locks | memory) ;; *) refuse "--only takes files, locks and memory, separated by commas, not $word." ;; esac
    done
    ;;
esac

links=yes input= optimised= dwarf= static= openmp= machine= other= unwanted= value= header=

# Learns from one word of the command line.
look() {
  if [ -n "$value" ]; then
    case $value$1 in -x*-header) header=yes links= ;; esac
    value=
    return
  fi
  case $1 in
    -c | -S | -E | -M | -MM | -fsyntax-only | -r | -Wl,-r | --precompile | -emit-ast) links= ;;
    -O*) optimised=$1 ;;
    -gdwarf-[0-9]*) dwarf=$1 ;;
    -static | --static | -static-pie | -Wl,-static) static=$1 ;;
    -m32 | -mx32 | -m16) machine=$1 ;;
    -fopenmp | -fopenmp=*) openmp=yes ;;
    -fsanitize=*)
      case ,${1#-fsanitize=}, in
        *,address,* | *,leak,* | *,memory,* | *,hwaddress,* | *,kernel-*) other=$1 ;;
        *,thread,*) unwanted=yes ;;
      esac
      ;;
    -s | -static-libtsan | -static-libsan | -shared-libsan | -shared-libasan) unwanted=yes ;;
    -xc*-header) header=yes links= ;;
    -o | -x | -I | -L | -D | -U | -A | -B | -F | -T | -u | -z | -e | -G | -MF | -MT | -MQ | -MJ | -include | -imacros | -isystem | -iquote | -idirafter) value=$1 ;;
    -iprefix | -iwithprefix | -iwithprefixbefore | -isysroot | --sysroot | -imultilib | --param | -aux-info | -dumpbase | -dumpdir | -dumpbase-ext | -specs) value=$1 ;;
    -Xlinker | -Xassembler | -Xpreprocessor | -Xclang | -Xanalyzer | -mllvm | -target | -arch | -wrapper | -framework | -serialize-diagnostics) value=$1 ;;
    @?*) response "${1#@}" ;;
    -) input=yes ;;
    -l?*) input=yes ;;
    -*) ;;
    *.h | *.hh | *.hpp | *.hxx | *.H | *.h++ | *.hp | *.tcc) header=yes ;;
    *) input=yes ;;
  esac
}

# A file with more words. They are only looked at: quotes in it do not matter for that.
response() {
  [ -r "$1" ] || return 0
  set -f
  # shellcheck disable=SC2046
  set -- $(tr -d '"'"'" <"$1")
  set +f
  for word; do
    case $word in @*) ;; *) look "$word" ;; esac
  done
}

for word; do look "$word"; done

# Nothing to compile or link: questions like --version, -print-file-name and -v.
[ -n "$input$header" ] || exec "$cc" "$@"
# Headers by themselves are compiled, and that is all.
[ -n "$input" ] || links=

[ -z "$other" ] || refuse "$other replaces the same functions as Heddle. Build without it."
[ -z "$machine" ] || refuse "$machine makes programs that Heddle's runtime does not fit into. Build for 64 bits."
if [ -n "$links" ]; then
  [ -z "$static" ] || refuse "$static leaves no place for Heddle's runtime. Link without it."
  [ -z "$openmp" ] || printf '%s: %s\n' "$us" 'note: what the threads of OpenMP wait for is not seen (docs/native.md).' >&2
fi

# What would undo our work: stripping, and the sanitizer's own runtime.
if [ -n "$unwanted" ]; then
  left=$#
  while [ "$left" -gt 0 ]; do
    word=$1 left=$((left - 1))
    shift
    case $word in
      -s | -static-libtsan | -static-libsan | -shared-libsan | -shared-libasan) continue ;;
      -fsanitize=thread) continue ;;
      -fsanitize=*) word=$(printf '%s' "$word" | sed 's/,thread,/,/; s/=thread,/=/; s/,thread$//') ;;
    esac
    set -- "$@" "$word"
  done
fi

# With version 5 addr2line 2.40 gives the wrong file for functions of headers.
[ -n "$dwarf" ] || dwarf=-gdwarf-4
if [ -n "$only" ]; then
  set -- "$@" "$dwarf"
  exec "$cc" "$@" -fno-omit-frame-pointer -fno-optimize-sibling-calls
fi

# C++ that nobody asked to leave alone: without inlining, every access to a shared_ptr or an atomic is in a header of the library and not in the user's line.
[ -n "$optimised" ] || [ "$HEDDLE_LANGUAGE" = C ] || optimised=-O1

# Last: what we need whatever the user gave. First: what the user may take back for single files.
set -- "$@" "$dwarf" -fno-omit-frame-pointer -fno-optimize-sibling-calls -U_FORTIFY_SOURCE
# Places that others may change must not be kept in registers over a whole loop, or nobody sees what is done to them.
if [ "$kind" = gcc ]; then
  case $optimised in '' | -O0 | -Og) ;; *) set -- "$@" -O1 -fno-tree-loop-im ;; esac
  # shellcheck disable=SC2086
  set -- -fsanitize=thread "$@" -Wno-tsan -Wno-error=maybe-uninitialized $HEDDLE_COMPILE
  [ -z "$links" ] || set -- -L"$HEDDLE_FOLDER" -Xlinker -rpath -Xlinker "$HEDDLE_FOLDER" "$@"
else
  case $optimised in '' | -O0) ;; *) set -- "$@" -O1 -Xclang -mllvm -Xclang -disable-licm-promotion ;; esac
  # Clang would link its own runtime, which cannot be replaced later: so only the front end is told.
  set -- -Xclang -fsanitize=thread "$@" -Xclang -mllvm -Xclang -tsan-instrument-read-before-write \
    -Xclang -mllvm -Xclang -tsan-instrument-func-entry-exit=0
  [ -z "$links" ] || set -- -L"$HEDDLE_FOLDER" -Xlinker -rpath -Xlinker "$HEDDLE_FOLDER" -Wl,--push-state,--no-as-needed -ltsan -Wl,--pop-state "$@"
fi
exec "$cc" "$@"
