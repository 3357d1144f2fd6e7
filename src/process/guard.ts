/**
 * Ends what Heddle started if Heddle is gone, also after kill -9: a shell at the end of a pipe gets a line for every group that begins and ends, and
 * kills the remaining ones when the pipe closes.
 *
 * One process for all runs, so a replay costs a line in a pipe. PR_SET_PDEATHSIG would have to be set in each program, is lost when a program changes
 * its user, and does not reach what the program starts. Here the whole group ends, on every Unix, also if the program's own loop is blocked. Without
 * a shell (Windows) there is no guard, and only kill -9 leaves anything behind.
 */
import { spawn, type ChildProcess } from 'node:child_process'

/**
 * `starts NAME` is said before a program is there, `begins GROUP NAME` when it is. In between nobody knows its number: then it is found by the name in its environment, where
 * there is a /proc, and looked for twice, because it may be about to begin.
 */
const SCRIPT = `trap '' INT TERM HUP QUIT
known=' '
coming=' '
while read -r what one name; do
  case $what in
    starts) coming="$coming$one " ;;
    begins)
      known="$known$one "
      case $coming in *" $name "*) coming="\${coming%% $name *} \${coming#* $name }" ;; esac ;;
    ended) case $known in *" $one "*) known="\${known%% $one *} \${known#* $one }" ;; esac ;;
  esac
done
for pid in $known; do kill -9 "$pid" 2> /dev/null; done
for name in $coming; do
  for time in 1 2; do
    for at in $(grep -ls "HEDDLE_NTH=$name" /proc/[0-9]*/environ); do
      at=\${at#/proc/}
      kill -9 "-\${at%/environ}" "\${at%/environ}" 2> /dev/null
    done
    sleep 1
  done
done`

let guard: ChildProcess | undefined

/** Called before the first program starts: in between it would have nobody. */
export function startGuard(): void {
  guard ??= start()
}

/** A program is about to start: its name, which goes into its environment. */
export function announced(): string {
  const name = `${process.pid}.${++count}`
  guard?.stdin!.write(`starts ${name}\n`)
  return name
}

let count = 0
export const RUN_VARIABLE = 'HEDDLE_NTH'

/** `target`: what kill(2) gets, so a group is negative. */
export function guarded(target: number, name: string): void {
  guard?.stdin!.write(`begins ${target} ${name}\n`)
}

export function unguarded(target: number): void {
  guard?.stdin!.write(`ended ${target}\n`)
}

function start(): ChildProcess {
  // A group of its own: neither Ctrl-C nor a kill of our group ends it before us.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/', env: {} })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as { unref?(): void }).unref?.()
  return child
}
