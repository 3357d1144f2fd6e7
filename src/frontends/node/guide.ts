/** The turns of a recorded run, for replays to go by: what src/runtime/js/replay/guide.ts reads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunConfig } from '../../runtime/js/protocol.ts'
import { DISPATCH, TURN_BEGIN } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'

const texts = new WeakMap<Trace, string>()

export function guideIn(folder: string, loop: Trace | undefined): Pick<RunConfig, 'guide'> {
  if (loop === undefined) return {}
  let text = texts.get(loop)
  if (text === undefined) texts.set(loop, (text = textOf(loop)))
  const guide = join(folder, 'guide.txt')
  writeFileSync(guide, text, 'latin1')
  return { guide }
}

function textOf(loop: Trace): string {
  const lines: string[] = []
  const { values } = loop.tables
  let time = '0'
  for (const event of loop.recordedOrder()) {
    const op = loop.op[event]
    if (op === TURN_BEGIN && loop.taskName(loop.taskOf(event)) === 'loop') {
      time = values.textOf(loop.value[event]!)
      if (lines.length === 0) lines.push(`${time} main main`)
    } else if (op === DISPATCH) {
      const kind = loop.targetName(event).split(' ', 1)[0]!
      lines.push(`${time} ${kind === 'interval' ? 'timer' : kind} ${values.textOf(loop.value[event]!).replace(/^#/, '')}`)
    }
  }
  return lines.map((line) => `${line}\n`).join('')
}
