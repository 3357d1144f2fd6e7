/** What the runtime in a native program reports of a run: the `result` file of docs/native-format.md. Sites are still addresses. */
import { or, parseSaid, textOf, type Said, type WaitsFor } from '../threads/result.ts'

export interface Waits extends WaitsFor {
  readonly object: number
  readonly pc: number
  /** Who called that, innermost first. */
  readonly callers: readonly number[]
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
  /** Who called what is at `pc`, innermost first. */
  readonly callers: readonly number[]
}

export interface Crash {
  /** 0: an abort. */
  readonly signal: number
  readonly address: number
  readonly thread: string
  /** Innermost first. */
  readonly stack: readonly number[]
}

export interface NativeResult extends Readonly<Omit<Said<Waits>, 'started'>> {
  readonly started: boolean
  /** Lines of the schedule that were carried out, with the place of the last step of each. */
  readonly lines: readonly { readonly pc: number; readonly kind: number }[]
  readonly violations: readonly RuntimeViolation[]
  readonly crash?: Crash
  /** Records that were left out while the program ran. */
  readonly dropped: number
  readonly code?: number
  /** Places that stand for names of files. */
  readonly paths: ReadonlyMap<number, string>
  /** Numbers that stand for two addresses: one in the library's part of the program, and the one of the program's own code that called it. */
  readonly sites: ReadonlyMap<number, readonly [number, number]>
  /** Where main's stack begins, 0 if that is not known. */
  readonly stack: number
}

export const readResult = (folder: string): NativeResult => parseResult(textOf(folder))

const hex = (text: string | undefined): number => Number.parseInt(text ?? '', 16) || 0

export function parseResult(text: string): NativeResult {
  let dropped = 0
  let stack = 0
  let crash: Crash | undefined
  let code: number | undefined
  const lines: { pc: number; kind: number }[] = []
  const violations: RuntimeViolation[] = []
  const paths = new Map<number, string>()
  const sites = new Map<number, readonly [number, number]>()
  const { started, ...said } = parseSaid<Waits>(text, waitsOf, (word, rest) => {
    const parts = rest.split(' ')
    switch (word) {
      case 'line':
        lines.push({ pc: hex(parts[2]), kind: Number(parts[3]) || 0 })
        break
      case 'violation':
        violations.push(violationOf(rest.split('|')))
        break
      case 'signal':
      case 'assert':
        crash ??= crashOf(word, rest)
        break
      case 'dropped':
        dropped += Number(parts.at(-1)) || 0
        break
      case 'stack':
        stack = hex(parts[0])
        break
      case 'path':
        paths.set(hex(parts[0]), parts.slice(1).join(' '))
        break
      case 'site':
        sites.set(hex(parts[0]), [hex(parts[1]), hex(parts[2])])
        break
      case 'end':
        code = Number(parts[0])
        break
    }
  })
  return {
    ...said,
    started: started !== undefined,
    lines,
    violations,
    paths,
    sites,
    stack,
    ...(crash ? { crash } : {}),
    dropped,
    ...(code === undefined || Number.isNaN(code) ? {} : { code }),
  }
}

const hexes = (text = ''): number[] => text.split(' ').filter(Boolean).map(hex)

function waitsOf([thread = '', kind, object, pc, holder, callers]: readonly string[]): Waits {
  return { thread, kind: Number(kind) || 0, object: hex(object), pc: hex(pc), holder: or(holder), callers: hexes(callers) }
}

function violationOf([rule = '', thread, object, pc, earlier, earlierPc, callers]: readonly string[]): RuntimeViolation {
  const places = { pc: hex(pc), earlierPc: hex(earlierPc), callers: hexes(callers) }
  return { rule, thread: or(thread), object: hex(object), earlier: or(earlier), ...places }
}

/** `signal N ADDRESS NAME PC PC …`, `assert NAME PC PC …`; names have spaces, places are hexadecimal. */
function crashOf(word: string, rest: string): Crash {
  const parts = /^(?:(\d+) ([0-9a-f]+) )?(main|thread (?:deep \d+|[\d.]+)|-)((?: [0-9a-f]+)*)$/.exec(rest)
  const isSignal = word === 'signal'
  return {
    signal: isSignal ? Number(parts?.[1] ?? 0) : 0,
    address: isSignal ? hex(parts?.[2]) : 0,
    thread: or(parts?.[3]),
    stack: hexes(parts?.[4]),
  }
}
