/** The recorded order and the failing one next to each other, a row per turn or step, a letter per async chain or thread. */
import type { Saved, SavedStep } from '../replay/saved.ts'
import type { Instruction, Schedule } from '../runtime/js/protocol.ts'
import { cut, printable } from './escape.ts'
import { shortSite } from './finding-source.ts'

const MOST_ROWS = 6
/** Columns below which a file has to do without its folder. */
const NARROW = 44
const BETWEEN = '   '

export function orders({ observed, failing }: Saved, width: number): string[] {
  if (observed.length === 0 && failing.length === 0) return []
  const letters = new Map<string, string>()
  for (const { chain } of [...observed, ...failing])
    if (!letters.has(chain)) letters.set(chain, String.fromCharCode(65 + (letters.size % 26)))
  const half = Math.floor((width - BETWEEN.length) / 2)
  const panel = (heading: string, steps: readonly SavedStep[]): string[] => [
    heading,
    ...steps.slice(0, MOST_ROWS).map((step) => cut(rowOf(step, letters.get(step.chain)!, half < NARROW), half)),
    ...(steps.length > MOST_ROWS ? [`⋮ ${steps.length - MOST_ROWS} more`] : []),
  ]
  const left = panel('recorded', observed)
  const right = panel('failing', failing)
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    ((left[i] ?? '').padEnd(half) + BETWEEN + (right[i] ?? '')).trimEnd(),
  )
  return [...rows, ...legend([...observed, ...failing], letters, width)]
}

function rowOf({ name, accesses }: SavedStep, letter: string, narrow: boolean): string {
  const [first, ...more] = accesses
  if (!first) return printable(`${letter}  ${name}`)
  const others = more.length === 0 ? '' : ` +${more.length}`
  const site = narrow ? shortSite(first.site).split('/').at(-1) : shortSite(first.site)
  return printable(`${letter}  ${site}  ${verb(first.access)} ${lastName(first.location)}${others}`)
}

/** The title has the whole location; a row has little room. */
const lastName = (location: string): string => (/^(file|dir):/.test(location) ? (location.split('/').at(-1) ?? location) : location)
const verb = (access: string): string => doing(access).padEnd(6)

/** What a thread does in a step, after its name. */
const VERBS: Readonly<Record<string, string>> = {
  read: 'reads',
  write: 'writes',
  load: 'loads',
  store: 'stores',
  update: 'updates',
  lock: 'takes',
  unlock: 'frees',
  wait: 'waits for',
  woken: 'is woken by',
  notify: 'notifies',
  post: 'posts',
  receive: 'gets',
  fork: 'starts',
  join: 'sees the end of',
  call: 'calls',
  return: 'returns from',
  answer: 'hears from',
  enter: 'enters',
  exit: 'leaves',
  request: 'asks for',
  alloc: 'makes',
  free: 'frees',
}
export const doing = (access: string): string => VERBS[access] ?? access

/** `file:/very/long/path/of/a/file` keeps its end. */
export function shortLocation(location: string): string {
  const resource = /^(file|dir):(.*)$/s.exec(location)
  if (!resource || resource[2]!.length <= 24) return location
  return `${resource[1]}:…/${resource[2]!.split('/').slice(-2).join('/')}`
}

/** What the letters stand for. */
function legend(steps: readonly SavedStep[], letters: ReadonlyMap<string, string>, width: number): string[] {
  const lines: string[] = []
  for (const [chain, letter] of letters) {
    const step = steps.find((s) => s.chain === chain)!
    const from = step.posted.split(' < ').slice(0, 2).map(shortSite).join(' < ')
    lines.push(cut(printable(`${letter} = ${step.name}${from === '' ? '' : `, from ${from}`}`), width))
  }
  return lines.slice(0, 3)
}

/** A line for every instruction of a schedule, or for every stretch of a thread. */
export const scheduleLines = ({ instructions, steps }: Schedule): string[] =>
  steps?.map((step) => step.note) ?? instructions.map(instructionText)

/** What a replay does, in words. The note of an instruction says which operation is meant. */
function instructionText(step: Instruction): string {
  if (step.do === 'stall') return `stand still for ${step.ms} ms after: ${step.note}`
  if (step.do === 'waylay') return `hold what is posted here until ${step.until.call} is called at ${step.until.at}: ${step.note}`
  return `hold the ${step.at === 'start' ? 'start' : 'end'} of: ${step.note}`
}
