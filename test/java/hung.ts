/** A JVM that hangs: a test says so after a minute and a half, with what its threads are at, and not when the time of the whole test is up. */
import { spawnSync } from 'node:child_process'

/** No JVM of these tests takes a tenth of it on a quiet machine. */
const MOST_SECONDS = Number(process.env['HEDDLE_TEST_JVM_SECONDS'] ?? 90)

interface Row {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
  readonly name: string
}

function processes(): Row[] {
  const { stdout = '' } = spawnSync('ps', ['-eo', 'pid=,ppid=,etimes=,comm='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, seconds, name] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), seconds: Number(seconds), name }]
  })
}

/** The first JVM below this process that has run for too long: a sentence, and its stacks. */
export function hung(root: number): string | undefined {
  const all = processes()
  const mine = new Set([root])
  for (let before = 0; before !== mine.size;) {
    before = mine.size
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid)
  }
  const one = all.find(({ pid, seconds, name }) => mine.has(pid) && name === 'java' && seconds > MOST_SECONDS)
  if (!one) return undefined
  const { stdout, stderr } = spawnSync('jstack', [String(one.pid)], { encoding: 'utf8', timeout: 15_000 })
  return `A JVM has run for ${one.seconds} s, and is taken to hang:\n${(stdout || stderr || 'jstack says nothing').slice(0, 20_000)}`
}
