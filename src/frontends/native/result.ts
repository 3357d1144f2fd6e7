/** What the runtime in a native program says of a run: the `result` file of docs/native-format.md, as it is. Places are still addresses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Waits {
  readonly thread: string
  /** The kind of step it stands before: `enum` of heddle.h. */
  readonly kind: number
  readonly object: number
  readonly pc: number
  /** The thread that holds it; empty if nobody does. */
  readonly holder: string
}

export interface RuntimeViolation {
  /** `use after free` and the others of docs/native.md. */
  readonly rule: string
  readonly thread: string
  readonly object: number
  readonly pc: number
  /** Who brought the object into the state that does not permit it, and where; empty and 0 if that is not known. */
  readonly earlier: string
  readonly earlierPc: number
}

export interface Crash {
  /** 0: an abort. */
  readonly signal: number
  readonly address: number
  readonly thread: string
  /** Innermost first. */
  readonly stack: readonly number[]
}

export interface NativeResult {
  readonly started: boolean
  /** Lines of the schedule that were carried out, with the place of the last step of each. */
  readonly lines: readonly { readonly pc: number; readonly kind: number }[]
  readonly gaveUp?: { readonly line: number; readonly why: string }
  readonly waits: readonly Waits[]
  readonly deadlock: boolean
  readonly violations: readonly RuntimeViolation[]
  readonly crash?: Crash
  readonly notes: readonly string[]
  /** Records that were left out while the program ran. */
  readonly dropped: number
  /** Delay mode: what became of each instruction, in order. */
  readonly delays: readonly { readonly delay: number; readonly did: 'held' | 'released' | 'gave-up' }[]
  readonly code?: number
}

export function readResult(folder: string): NativeResult {
  let text = ''
  try {
    text = readFileSync(join(folder, 'result'), 'utf8')
  } catch {
    // the runtime has not come so far
  }
  return parseResult(text)
}

const hex = (text: string | undefined): number => Number.parseInt(text ?? '', 16) || 0
const or = (text: string | undefined): string => (text === undefined || text === '-' ? '' : text)

export function parseResult(text: string): NativeResult {
  let started = false
  let deadlock = false
  let dropped = 0
  let gaveUp: NativeResult['gaveUp']
  let crash: Crash | undefined
  let code: number | undefined
  const lines: { pc: number; kind: number }[] = []
  const waits: Waits[] = []
  const violations: RuntimeViolation[] = []
  const notes: string[] = []
  const delays: { delay: number; did: 'held' | 'released' | 'gave-up' }[] = []
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    const word = space < 0 ? line : line.slice(0, space)
    const rest = space < 0 ? '' : line.slice(space + 1)
    const parts = rest.split(' ')
    switch (word) {
      case 'start':
        started = true
        break
      case 'line':
        lines.push({ pc: hex(parts[2]), kind: Number(parts[3]) || 0 })
        break
      case 'gave-up':
        gaveUp ??= { line: Number(parts[0]) || 0, why: parts.slice(1).join(' ') }
        break
      case 'waits': {
        const [thread = '', kind, object, pc, holder] = rest.split('|')
        waits.push({ thread, kind: Number(kind) || 0, object: hex(object), pc: hex(pc), holder: or(holder) })
        break
      }
      case 'deadlock':
        deadlock = true
        break
      case 'violation': {
        const [rule = '', thread, object, pc, earlier, earlierPc] = rest.split('|')
        violations.push({
          rule,
          thread: or(thread),
          object: hex(object),
          pc: hex(pc),
          earlier: or(earlier),
          earlierPc: hex(earlierPc),
        })
        break
      }
      case 'signal':
      case 'assert':
        crash ??= crashOf(word, rest)
        break
      case 'note':
        if (!notes.includes(rest)) notes.push(rest)
        break
      case 'dropped':
        dropped += Number(parts.at(-1)) || 0
        break
      case 'delay':
        delays.push({ delay: Number(parts[0]) || 0, did: (parts[1] ?? 'held') as 'held' })
        break
      case 'end':
        code = Number(parts[0])
        break
    }
  }
  return {
    started,
    lines,
    ...(gaveUp ? { gaveUp } : {}),
    waits,
    deadlock,
    violations,
    ...(crash ? { crash } : {}),
    notes,
    dropped,
    delays,
    ...(code === undefined || Number.isNaN(code) ? {} : { code }),
  }
}

/** `signal N ADDRESS NAME PC PC …`, `assert NAME PC PC …`; names have spaces, places are hexadecimal. */
function crashOf(word: string, rest: string): Crash {
  const parts = /^(?:(\d+) ([0-9a-f]+) )?(main|thread (?:deep \d+|[\d.]+)|-)((?: [0-9a-f]+)*)$/.exec(rest)
  const isSignal = word === 'signal'
  return {
    signal: isSignal ? Number(parts?.[1] ?? 0) : 0,
    address: isSignal ? hex(parts?.[2]) : 0,
    thread: or(parts?.[3]),
    stack: (parts?.[4] ?? '').split(' ').filter(Boolean).map(hex),
  }
}
