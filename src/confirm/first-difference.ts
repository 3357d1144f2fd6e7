/** Where a run with nothing held went another way than the recorded one, in terms of the program: the first turn that differs. */
import { DISPATCH, TURN_BEGIN } from '../trace/ops.ts'
import type { Trace } from '../trace/trace.ts'

interface Turn {
  readonly label: string
  readonly name: string
  readonly site: string
}

/** Undefined where every turn of the recorded run came in its place, or where there is nothing to compare. */
export function firstDifference(recorded: Trace | undefined, run: Trace | undefined): string | undefined {
  if (recorded === undefined || run === undefined) return undefined
  const [then, now] = [turnsOf(recorded), turnsOf(run)]
  for (let at = 0; ; at++) {
    const [a, b] = [then[at], now[at]]
    if (a === undefined || (b !== undefined && a.label === b.label)) {
      if (a === undefined) return undefined
      continue
    }
    if (b === undefined) return `It ended before turn ${at + 1} of the recorded run, ${said(a)}.`
    const later = now.some((turn, nth) => nth > at && turn.label === a.label)
    const known = then.some((turn) => turn.label === b.label)
    if (known) return `Turn ${at + 1} was ${said(b)}, which came ${later ? 'after' : 'later and without'} ${said(a)} in the recorded run.`
    return `Turn ${at + 1} was ${said(b)}, which the recorded run did not have there: it had ${said(a)}.`
  }
}

const said = ({ name, site }: Turn): string => (site === '' ? name : `${name} (${site})`)

function turnsOf(trace: Trace): Turn[] {
  const turns: Turn[] = []
  const nth = new Map<string, number>()
  let [name, site] = ['main', '']
  for (const e of trace.recordedOrder()) {
    if (trace.op[e] === TURN_BEGIN && trace.taskName(trace.taskOf(e)) === 'loop') {
      name = trace.targetName(e)
      site = trace.siteName(e).split(' < ', 1)[0]!.split(' ', 1)[0]!
    } else if (trace.op[e] === DISPATCH) {
      const label = trace.tables.values.textOf(trace.value[e]!)
      const count = (nth.get(label) ?? 0) + 1
      nth.set(label, count)
      turns.push({ label: `${label} ${count}`, name, site })
    }
  }
  return turns
}
