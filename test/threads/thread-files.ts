/** Files of threads for tests, from steps in the text notation: `[stamp, 'ra(main#1+0:4i)=0', 'u(main#1+0:4i)=1']`. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { writeTrace } from '../../src/trace/file.ts'
import { nameText } from '../../src/trace/notation.ts'
import { OPS } from '../../src/trace/ops.ts'
import { drawTrace, parseText } from '../../src/trace/text.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'

export type Step = readonly [stamp: number, ...events: string[]]

export function threadTrace(name: string, steps: readonly Step[]): Trace {
  const rows = steps.flatMap(([stamp, ...events]) => events.map((text) => ({ stamp, text })))
  // Spaces inside parentheses need quotes in the notation.
  const quoted = (text: string): string => text.replace(/\(([^)"]*)\)/, (_, target: string) => `(${nameText(target)})`)
  const drawn = parseText([nameText(name), ...rows.map(({ text }) => quoted(text))].join('\n'))
  const builder = new TraceBuilder()
  builder.task(name)
  for (let e = 0; e < drawn.eventCount; e++) {
    const op = drawn.op[e]!
    const target = OPS[op]!.target === 'none' || drawn.target[e] === NONE ? NONE : builder.targetOf(op, drawn.targetName(e))
    const code = drawn.value[e]!
    const value = code > 0 ? builder.values.table.intern(drawn.tables.values.textOf(code)) + 1 : code
    const site = drawn.site[e] === NONE ? NONE : builder.sites.intern(drawn.siteName(e))
    builder.add(0, op, target, value, site, rows[e]!.stamp)
  }
  return builder.finish({ source: `threads/${name}.heddle` })
}

export function runFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-threads-'))
  mkdirSync(join(folder, 'threads'))
  return folder
}

export function writeThread(folder: string, trace: Trace): string {
  const path = join(folder, 'threads', `${trace.taskName(0)}.heddle`)
  writeTrace(trace, path)
  return path
}

export function folderOf(threads: Readonly<Record<string, readonly Step[]>>): string {
  const folder = runFolder()
  for (const [name, steps] of Object.entries(threads)) writeThread(folder, threadTrace(name, steps))
  return folder
}

/** Rows without the spaces that depend on the widths of other rows. */
export const drawn = (trace: Trace): string[] =>
  drawTrace(trace, { sites: false })
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, '  '))

/** Events of one task, as text. */
export function eventsOf(trace: Trace, task: string): string[] {
  const t = trace.tables.tasks.find(task)
  return Array.from({ length: trace.taskStart[t + 1]! - trace.taskStart[t]! }, (_, k) => trace.eventText(trace.taskStart[t]! + k))
}
