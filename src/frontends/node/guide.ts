/** The turns of a recorded run, for replays to follow: the input of src/runtime/js/replay/guide.ts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockOrder } from '../../clients/lock-order.ts'
import { ENDED, type RunConfig } from '../../runtime/js/protocol.ts'
import { BYTES, DISPATCH, POST, TURN_BEGIN, TURN_END } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'

const texts = new WeakMap<Trace, string>()

/** `ended`: the recorded run ended by itself. */
export function guideIn(folder: string, loop: Trace | undefined, ended: boolean): Pick<RunConfig, 'guide'> {
  if (loop === undefined) return {}
  let text = texts.get(loop)
  if (text === undefined) texts.set(loop, (text = textOf(loop)))
  const guide = join(folder, 'guide.txt')
  writeFileSync(guide, ended && loop.facts.truncated === undefined ? `${text}${ENDED}\n` : text, 'latin1')
  return { guide }
}

const HANDLES: ReadonlySet<string> = new Set(['socket', 'server', 'child'])

function textOf(loop: Trace): string {
  const lines: string[] = []
  const { values } = loop.tables
  const silent = new Set<string>()
  const lockedBehind = lockOrder(loop)
  const answered = new Map<string, number>()
  /** What was posted right before a turn, and in no other: the engine went on by itself. */
  let lastPosted = ''
  /** In such a turn, which has posted nothing yet. */
  let ofEngine = false
  let time = '0'
  let begun = false
  /** The last operation that the first turn posted. */
  let lastOfFirst = ''
  for (const event of loop.recordedOrder()) {
    const op = loop.op[event]
    if (op === TURN_BEGIN && loop.taskName(loop.taskOf(event)) === 'loop') {
      time = values.textOf(loop.value[event]!)
      if (lines.length === 0) lines.push(`${time} main main`)
      begun = true
    } else if (op === POST || op === DISPATCH) {
      const kind = loop.targetName(event).split(' ', 1)[0]!
      const label = values.textOf(loop.value[event]!).replace(/^#/, '')
      if (op === POST) {
        lastPosted = label
        if (lines.length === 1) lastOfFirst = label
        if (HANDLES.has(kind)) silent.add(label)
        // Whoever sees it posted knows that the engine has gone on, in a turn of its own or not.
        if (ofEngine) lines.push(`${lines.pop()} ${label}`)
        ofEngine = false
        continue
      }
      silent.delete(label)
      // What else the turn answers is nothing that could be waited for.
      if (!begun) continue
      begun = false
      ofEngine = kind === 'message' && label === lastPosted
      const line = `${time} ${ofEngine ? 'engine' : kind === 'interval' ? 'timer' : kind} ${label}`
      const behind = kind === 'request' ? answered.get(lockedBehind.get(label) ?? '') : undefined
      answered.set(label, lines.length)
      lines.push(behind === undefined ? line : `${line} ${behind}`)
    } else if (op !== TURN_END && op !== BYTES) lastPosted = ''
    if (op === TURN_END) ofEngine = false
    if (op === BYTES) lines.push(`${lines.pop()} ${values.textOf(loop.value[event]!)}`)
  }
  if (lastOfFirst !== '') lines[0] += ` ${lastOfFirst}`
  for (const label of silent) lines.push(`- ${label}`)
  return lines.map((line) => `${line}\n`).join('')
}
