/**
 * Replays of programs with workers that exploration makes in a given time: how many, how long each takes, and what is known by then.
 *
 *   npm run bench:workers-replays [-- SECONDS PROGRAM …]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { record } from '../src/api/record.ts'
import { outcomeOf } from '../src/confirm/outcome.ts'
import { replay } from '../src/confirm/run.ts'
import { Frontier } from '../src/explore/frontier.ts'
import { FRONT_ENDS } from '../src/frontends/all.ts'
import { recognise } from '../src/frontends/command.ts'
import { Steps } from '../src/predict/threads/steps.ts'
import { plainSchedule, type StepSchedule } from '../src/schedule/schedule.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { machine } from './measure.ts'

const words = process.argv.slice(2)
const seconds = Number(words.find((word) => /^\d+$/.test(word)) ?? 60)
const named = words.filter((word) => !/^\d+$/.test(word))
const USUAL = [
  'programs/wrong/workers/semaphore.mjs',
  'programs/wrong/workers/locks-two.mjs',
  'programs/wrong/workers/x-latch.mjs',
  'explore/programs/workers/pause-resume.cjs',
  'explore/programs/workers/election.cjs',
]
const WATCHDOG_MS = 20_000
const verbose = process.env['VERBOSE'] === '1'

const middle = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0

console.log(machine())
console.log(
  '| program | replays | a minute | ms, median | most | classes | failed | stuck | left the schedule |\n|---|---|---|---|---|---|---|---|---|',
)
for (const file of named.length > 0 ? named : USUAL.map((path) => join(ROOT, 'test', path))) {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-replays-'))
  try {
    const command = ['node', file] as const
    const recording = await record(command, { cwd })
    const program = recognise(command, cwd, FRONT_ENDS)
    const { threads } = program.read(recording, { cwd, branches: false, late: () => false })
    const frontier = new Frontier()
    frontier.add({ threads: threads!, stuck: false }, 0, 'the recorded run')
    const { trace, steps, vocabulary } = threads!
    const sleeps = new Steps(trace, steps.stepOf, vocabulary).sleeps()
    const rerun = { program, recording, cwd, folder: recording.folder, watchdogMs: WATCHDOG_MS }
    const times: number[] = []
    let [failed, stuck, left, nth] = [0, 0, 0, 0]
    const begin = performance.now()
    const late = (): boolean => performance.now() - begin > 1000 * seconds
    while (!late()) {
      const wanted = frontier.next(late)
      if (!wanted) break
      const after = [{}, { goesOn: true }, { lastFirst: true }][nth++ % 3]!
      const schedule: StepSchedule = { ...plainSchedule(recording), kind: 'steps', sleeps, steps: wanted.lines, ...after }
      const from = performance.now()
      const run = await replay(rerun, schedule, true)
      times.push(performance.now() - from)
      const outcome = outcomeOf(run, schedule, recording, {})
      const failure = outcome.result === 'failed' ? outcome.failure : undefined
      if (failure) failed++
      if (failure?.how === 'hang') stuck++
      const isWhole = failure !== undefined || (run.steps?.done ?? 0) >= wanted.lines.length
      if (!isWhole) left++
      if (verbose)
        console.log(Math.round(times.at(-1)!), failure?.shape ?? '', isWhole ? '' : JSON.stringify(run.steps), JSON.stringify(after))
      const played =
        run.threads && run.stopped !== 'watchdog'
          ? {
              threads: run.threads,
              stuck: failure?.how === 'hang',
              failed: failure && failure.how !== 'hang' ? { how: failure.shape, task: run.crash?.task } : undefined,
            }
          : undefined
      frontier.tell(wanted, played, isWhole)
    }
    const all = (performance.now() - begin) / 60_000
    times.sort((a, b) => a - b)
    console.log(
      `| ${[basename(file), times.length, (times.length / all).toFixed(1), Math.round(middle(times)), Math.round(times.at(-1) ?? 0), frontier.classCount, failed, stuck, left].join(' | ')} |`,
    )
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
console.log(machine())
