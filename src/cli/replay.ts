/** `heddle replay`: runs the program again under the schedule of a finding. */
import { FRONT_ENDS } from '../frontends/all.ts'
import { replayAgain } from '../confirm/again.ts'
import { mayRun } from '../confirm/may-run.ts'
import { Isolation, type Isolate } from '../isolate/isolation.ts'
import type { Outcome } from '../confirm/outcome.ts'
import { cut, printable } from '../report/escape.ts'
import { scheduleLines } from '../report/finding-orders.ts'
import { lineFrom } from '../report/finding-source.ts'
import { sentenceOf } from '../report/sentence.ts'
import { painter } from '../report/paint.ts'
import { needFinding } from '../confirm/find-finding.ts'
import { agrees, isAtTerminal } from './ask.ts'
import { catchInterrupt, INTERRUPTED } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

/** Of the schedule. */
const MOST_LINES = 30

export async function replayCommand(args: Arguments, io: Io): Promise<number> {
  const cwd = process.cwd()
  const { finding, recording } = needFinding(args.positional('WHAT'), cwd)
  const { prediction } = finding
  const isolation = new Isolation(args.words<Isolate>('isolate'), cwd)
  const paint = painter(io.colour)
  await io.out.write(`${printable(sentenceOf(prediction, lineFrom(cwd)))}\n`)
  const lines = scheduleLines(prediction.schedule)
  for (const [i, line] of lines.slice(0, MOST_LINES).entries()) await io.out.write(`  ${i + 1}. ${printable(line)}\n`)
  if (lines.length > MOST_LINES) await io.out.write(`  … ${lines.length - MOST_LINES} more\n`)
  const { command } = prediction.schedule
  await io.out.write(`Command: ${printable(wordsText(command))}\n`)
  await io.out.flush()
  const ask = isAtTerminal() ? () => agrees('It was not recorded on this machine in this folder. Run it?') : undefined
  await mayRun(command, cwd, { yes: args.flag('yes'), command: args.rest, ask })
  const interrupt = catchInterrupt()
  let outcomes: Outcome[]
  try {
    outcomes = await replayAgain(prediction, recording, {
      frontEnds: FRONT_ENDS,
      cwd,
      runs: args.number('runs')!,
      inspect: args.flag('inspect'),
      signal: interrupt.signal,
      isolation,
      hooks: { beforeEach: args.word('before-each'), afterEach: args.word('after-each') },
      onOutcome: async (outcome, nth, ofBranch) => {
        const line = `replay ${nth}: ${outcome.result}${wordsOf(outcome, ofBranch)}`
        await io.out.write(`${outcome.result === 'failed' ? paint.failed(cut(line, io.width)) : cut(line, io.width)}\n`)
        await io.out.flush()
      },
    })
  } finally {
    interrupt.release()
  }
  const last = outcomes.at(-1)
  if (last?.result === 'failed') for (const line of last.failure.detail) await io.out.write(`  ${printable(line)}\n`)
  if (interrupt.signal.aborted) return INTERRUPTED
  return outcomes.some((outcome) => outcome.result === 'failed') ? 1 : 0
}

/** As it would be typed: words with blanks in them have quotes. */
const wordsText = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')

function wordsOf(outcome: Outcome, ofBranch: boolean): string {
  if (outcome.result === 'failed') return `: ${printable(outcome.failure.message.split('\n')[0]!)}`
  if (outcome.result === 'reproduced' && ofBranch) return ': the branch went the other way, and nothing visible broke'
  if (outcome.result === 'reproduced') return ': the order was reached, and nothing visible broke'
  if (outcome.result === 'timed out') return `: ${outcome.why}`
  return ` at step ${outcome.step}: ${printable(outcome.why)}`
}
