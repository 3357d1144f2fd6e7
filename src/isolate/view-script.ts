/**
 * What a process does between its start and the program, so that the program sees a private copy-on-write view: a shell with a list of operations, in
 * new namespaces. It becomes the program by exec, so process id, group and signals are those of the program from the beginning.
 *
 * Each covered folder is the lower layer of an overlay whose upper layer is memory of this view alone. Everything is assembled in another folder and
 * mounted over the real one at the end. What must stay real (.heddle) is bind-mounted into it before that. The program sees the other folder empty;
 * otherwise a program that walks through its own files would find everything a second time.
 */

/** `MARK PLACE CWD OPERATION… -- COMMAND…`; what fails is said in the file MARK. */
export const VIEW_SCRIPT = `mark=$1 place=$2 cwd=$3
shift 3
try() { "$@" 2> "$mark.said" || { mv "$mark.said" "$mark"; exit 125; }; }
try mount -t tmpfs -o mode=0755 tmpfs "$place"
while [ "$1" != -- ]; do
  case $1 in
    overlay) # NUMBER FOLDER MODE OWNER OPTIONS
      try mkdir "$place/$2" "$place/$2/work" "$place/$2/all"
      try mkdir -m "$4" "$place/$2/upper"
      [ "$5" = - ] || chown "$5" "$place/$2/upper" 2> /dev/null
      try mount -t overlay overlay -o "lowerdir=$3,upperdir=$place/$2/upper,workdir=$place/$2/work$6" "$place/$2/all"
      shift 6 ;;
    remove) # NUMBER FOLDER LIST
      (cd "$place/$2/all/$3" && xargs -0 rm -rf -- < "$4") 2> /dev/null
      shift 4 ;;
    restore) # NUMBER FOLDER SAVED
      try cp -a "$4/." "$place/$2/all/$3/"
      shift 4 ;;
    real) # NUMBER FOLDER PATH
      try mount --rbind "$4" "$place/$2/all/$3"
      shift 4 ;;
    perhaps) # NUMBER FOLDER PATH
      mount --rbind "$4" "$place/$2/all/$3" 2> /dev/null
      shift 4 ;;
    cover) # NUMBER FOLDER
      try mount --rbind "$place/$2/all" "$3"
      shift 3 ;;
    loopback)
      try ip link set lo up
      shift ;;
  esac
done
shift
try mount -t tmpfs -o mode=0755 tmpfs "$place"
try cd "$cwd"
exec "$@"`

/** Does all of it work here? Makes a view of a folder, and changes it in the ways that need the most. \`FOLDER OPTIONS\` */
export const PROBE_SCRIPT = `set -e
cd "$1"
mkdir -p below/old place
echo before > below/old/file
mount -t tmpfs tmpfs place
mkdir place/upper place/work place/all
mount -t overlay overlay -o "lowerdir=$1/below,upperdir=$1/place/upper,workdir=$1/place/work$2" place/all
mount --rbind place/all below
cd "$1/below"
rm -r old
mkdir old
test -z "$(ls old)"
echo after > old/file
mv old new
test "$(cat new/file)" = after`
