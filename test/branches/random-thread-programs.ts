/**
 * Random small programs of two threads, the main one and a worker, that share an Int32Array; and what every order of their steps decides, found without
 * Heddle: the threads are run as generators that stop before each step.
 */
import type { Random } from '../../src/base/random.ts'

export interface ThreadProgram {
  readonly source: string
  /** The two threads as generators: bodies of functions with the parameters `m`, `$`. */
  readonly probed: readonly [string, string]
  readonly initial: readonly number[]
}

export interface ThreadOrder {
  /** The kind of each step and who takes it: 0 is the main thread. */
  readonly steps: readonly { readonly thread: number; readonly does: string }[]
  /** Lines that it takes otherwise than the usual order: first the main thread as a whole, then the worker. */
  readonly flips: ReadonlySet<number>
  /** The one that comes before all others. */
  readonly first: number | undefined
}

interface Text {
  readonly plain: string
  readonly probed: string
}

const text = (plain: string, probed = plain): Text => ({ plain, probed })
const CELLS = 2

const HEAD = `import { once } from 'node:events'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
if (isMainThread) {
  const m = new Int32Array(new SharedArrayBuffer(${4 * CELLS}))
`
const AFTER_HEAD = `  const worker = new Worker(new URL(import.meta.url), { workerData: m })
  const exit = once(worker, 'exit')
  first(m)
  await exit
  console.log('done')
} else second(workerData)
`

class Thread {
  readonly lines: Text[] = []
  private locals: string[] = []
  private left: number

  constructor(
    private readonly random: Random,
    private readonly firstLine: number,
    accesses: number,
  ) {
    this.left = accesses
    while (this.left > 0) this.statement()
    if (this.locals.length > 0) this.branch(text(`${this.locals[0]} += 0`))
  }

  private get line(): number {
    return this.firstLine + this.lines.length
  }

  private statement(): void {
    const { random } = this
    const roll = random.next()
    if (roll < 0.4 || this.locals.length === 0) {
      const name = `x${this.locals.length}`
      const read = this.read()
      this.lines.push(text(`let ${name} = ${read.plain}`, `let ${name} = ${read.probed}`))
      this.locals.push(name)
      if (random.chance(0.7)) this.branch(this.left > 0 && random.chance(0.5) ? this.write() : text(`${name} = ${this.value()}`))
    } else if (roll < 0.7) this.lines.push(this.write())
    else this.branch(random.chance(0.5) ? this.write() : text(`${random.pick(this.locals)} = ${this.value()}`))
  }

  private branch(then: Text): void {
    const { random } = this
    const a = random.chance(0.7) ? this.locals.at(-1)! : this.value()
    const condition = `${a} ${random.pick(['<', '>', '===', '!==', '>=', '=='])} ${random.below(4)}`
    this.lines.push(text(`if (${condition}) ${then.plain}`, `if ($.if(${this.line}, ${condition})) ${then.probed}`))
  }

  private read(): Text {
    this.left--
    const cell = this.random.below(CELLS)
    return this.random.chance(0.5)
      ? text(`m[${cell}]`, `(yield 'read', m[${cell}])`)
      : text(`Atomics.load(m, ${cell})`, `(yield 'load', m[${cell}])`)
  }

  private write(): Text {
    this.left--
    const cell = this.random.below(CELLS)
    const value = this.value()
    const roll = this.random.next()
    if (roll < 0.2) return text(`Atomics.add(m, ${cell}, ${value})`, `{ yield 'update'; m[${cell}] += ${value} }`)
    return roll < 0.6
      ? text(`m[${cell}] = ${value}`, `{ yield 'write'; m[${cell}] = ${value} }`)
      : text(`Atomics.store(m, ${cell}, ${value})`, `{ yield 'store'; m[${cell}] = ${value} }`)
  }

  /** Of constants and locals. */
  private value(): string {
    const { random } = this
    if (this.locals.length === 0 || random.chance(0.3)) return `${random.below(5)}`
    const local = random.pick(this.locals)
    return random.chance(0.4) ? local : `(${local} ${random.pick(['+', '-', '*', '&'])} ${1 + random.below(4)})`
  }
}

/** `accesses`: about as many steps of each thread. */
export function randomThreads(random: Random, accesses: number): ThreadProgram {
  const initial = Array.from({ length: CELLS }, () => random.below(3))
  const head = HEAD + initial.map((value, i) => `  m[${i}] = ${value}\n`).join('') + AFTER_HEAD
  const lines = head.split('\n').length - 1
  const one = new Thread(random, lines + 2, accesses)
  const other = new Thread(random, lines + 2 + one.lines.length + 2, accesses)
  const body = ({ lines }: Thread, which: keyof Text): string => lines.map((line) => line[which]).join('\n') + '\n'
  const source = `${head}function first(m) {\n${body(one, 'plain')}}\nfunction second(m) {\n${body(other, 'plain')}}\n`
  return { source, probed: [body(one, 'probed'), body(other, 'probed')], initial }
}

/** `at`: after how many steps of both. */
interface Decision {
  readonly line: number
  readonly outcome: boolean
  readonly at: number
}

type Body = (m: Int32Array, $: { if(line: number, value: boolean): boolean }) => Generator<string, void>
// oxlint-disable-next-line no-empty-function -- only its constructor is wanted
const GeneratorFunction = function* () {}.constructor as new (...words: string[]) => Body

/** The usual order is that the main thread has done all before the worker begins. */
export function ordersOf({ probed, initial }: ThreadProgram): ThreadOrder[] {
  const bodies = probed.map((text) => new GeneratorFunction('m', '$', text))
  const run = (choose: (open: readonly number[]) => number): { steps: ThreadOrder['steps']; decided: Decision[][] } => {
    const memory = Int32Array.from(initial)
    const decided: Decision[][] = [[], []]
    const steps: { thread: number; does: string }[] = []
    const threads = bodies.map((body, i) =>
      body(memory, {
        if(line, outcome) {
          decided[i]!.push({ line, outcome, at: steps.length })
          return outcome
        },
      }),
    )
    const next = threads.map((thread) => thread.next())
    for (;;) {
      const open = [0, 1].filter((i) => next[i]!.done !== true)
      if (open.length === 0) return { steps, decided }
      const thread = open.length === 1 ? open[0]! : choose(open)
      steps.push({ thread, does: next[thread]!.value as string })
      next[thread] = threads[thread]!.next()
    }
  }
  const usual = run(([first]) => first!).decided
  const orders: ThreadOrder[] = []
  const path: number[] = []
  for (;;) {
    let depth = 0
    const { steps, decided } = run(() => {
      if (depth === path.length) path.push(0)
      return path[depth++]!
    })
    const flips = usual.flatMap((decisions, i) => flipped(decisions, decided[i]!)).sort((a, b) => a.at - b.at)
    orders.push({ steps, flips: new Set(flips.map(({ line }) => line)), first: flips[0]?.line })
    while (path.at(-1) === 1) path.pop()
    if (path.length === 0) return orders
    path[path.length - 1] = 1
  }
}

function flipped(usual: readonly Decision[], now: readonly Decision[]): Decision[] {
  const at = usual.findIndex(({ line, outcome }, i) => now[i]?.line !== line || now[i]?.outcome !== outcome)
  return at >= 0 && now[at]?.line === usual[at]!.line ? [now[at]!] : []
}
