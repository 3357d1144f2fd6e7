/**
 * Processor time of a command and of all it starts, also of processes that nobody waits for (the analysis of tests is one): from a control group of its own, where this machine lets us make
 * one. Elsewhere what the kernel adds up for processes that were waited for, which is less.
 */
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'

/** Where groups are made, and how their processor time is read, in milliseconds. */
const KINDS = [
  { root: '/sys/fs/cgroup/cpuacct', read: (group: string) => Number(readFileSync(`${group}/cpuacct.usage`, 'utf8')) / 1e6 },
  { root: '/sys/fs/cgroup', read: (group: string) => Number(/usage_usec (\d+)/.exec(readFileSync(`${group}/cpu.stat`, 'utf8'))![1]) / 1e3 },
] as const

export interface Group {
  /** Put in front of a command line. */
  readonly words: readonly string[]
  usedMs(): number
  end(): void
}

let made = 0

/** Undefined where none can be made. */
export function newGroup(): Group | undefined {
  for (const { root, read } of KINDS) {
    const folder = `${root}/heddle-bench-${process.pid}-${made++}`
    try {
      mkdirSync(folder)
      read(folder)
    } catch {
      continue
    }
    return {
      words: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'],
      usedMs: () => read(folder),
      end() {
        try {
          rmdirSync(folder)
        } catch {
          // A process is still ending: the group is empty, and harmless, soon.
        }
      },
    }
  }
  return undefined
}

/** Clock ticks of all processes that have ended below this one and were waited for, as milliseconds. */
export function waitedForMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
