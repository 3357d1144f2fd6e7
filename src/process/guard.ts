/**
 * Ends what Heddle started when Heddle is gone, also after kill -9: a shell that holds a pipe of Heddle's, is told of every group that begins and ends,
 * and kills those that are left when the pipe closes.
 *
 * One process for all runs, so a replay costs a line in a pipe. PR_SET_PDEATHSIG would have to be set in each program, is lost when a program changes its
 * user, and does not reach what the program starts; the whole group ends here, on every Unix, also when the program's own loop is blocked. Without a
 * shell (Windows) there is no guard, and only kill -9 leaves anything behind.
 */
import { spawn, type ChildProcess } from 'node:child_process'

const SCRIPT = `trap '' INT TERM HUP QUIT
known=' '
while read -r what pid; do
  case $what in
    begins) known="$known$pid " ;;
    ended) case $known in *" $pid "*) known="\${known%% $pid *} \${known#* $pid }" ;; esac ;;
  esac
done
for pid in $known; do kill -9 "$pid" 2> /dev/null; done`

let guard: ChildProcess | undefined

/** Called before the first program starts: in between it would have nobody. */
export function startGuard(): void {
  guard ??= start()
}

/** `target`: what kill(2) gets, so a group is negative. */
export function guarded(target: number): void {
  guard?.stdin!.write(`begins ${target}\n`)
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
