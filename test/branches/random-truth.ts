/**
 * What every order of the turns of a random program decides, without Heddle: the program with probes runs in this process, and whenever nothing can run any
 * more, each of those that sleep may be the next to wake.
 */
import type { RandomProgram } from './random-programs.ts'

export interface Truth {
  readonly orders: number
  /** Lines of branches that some order takes otherwise than the usual one. */
  readonly lines: ReadonlySet<number>
  /** Those that are the first to go another way in some order: nothing but what was recorded leads there. */
  readonly first: ReadonlySet<number>
  /** Were all orders tried? */
  readonly whole: boolean
}

interface Sleeper {
  readonly wake: () => void
  readonly at: number
}

/** `at`: when, among all decisions of the run. */
interface Decision {
  readonly line: number
  readonly outcome: string
  readonly at: number
}

/** What one task (or the main one) decided, in order; and where data decides, by how many decisions came before. */
interface Decided {
  readonly explicit: Decision[]
  readonly data: Map<string, Decision>
}

class Probes {
  task: number | 'main' = 'main'
  readonly decided = new Map<number | 'main', Decided>()
  private count = 0

  if<V>(line: number, value: V): V {
    this.explicit(line, Boolean(value))
    return value
  }

  nullish<V>(line: number, value: V): V {
    this.explicit(line, value === undefined || value === null)
    return value
  }

  receiver<V>(line: number, value: V, which: boolean): V {
    return this.data('receiver', line, `${which}`, value)
  }

  index<V>(line: number, value: V): V {
    return this.data('index', line, String(value), value)
  }

  private explicit(line: number, outcome: boolean): void {
    this.of().explicit.push({ line, outcome: `${outcome}`, at: this.count++ })
  }

  private data<V>(kind: string, line: number, outcome: string, value: V): V {
    const { data, explicit } = this.of()
    const key = `${explicit.length} ${line} ${kind}`
    if (!data.has(key)) data.set(key, { line, outcome, at: this.count++ })
    return value
  }

  private of(): Decided {
    let decided = this.decided.get(this.task)
    if (!decided) this.decided.set(this.task, (decided = { explicit: [], data: new Map() }))
    return decided
  }
}

type Body = (sleep: (ms: number) => Promise<void>, probes: Probes) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => Body

/** `choose`: which of those that sleep is next; left out, the one that wakes first. */
async function runOnce(body: Body, choose?: (sleepers: readonly Sleeper[]) => number): Promise<Probes> {
  const probes = new Probes()
  let sleepers: Sleeper[] = []
  let now = 0
  const sleep = (ms: number): Promise<void> => new Promise((wake) => sleepers.push({ wake, at: now + ms }))
  let over = false
  const end = body(sleep, probes).finally(() => (over = true))
  end.catch(() => {}) // it is waited for below
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    if (over || sleepers.length === 0) break
    const first = sleepers.reduce((a, b) => (b.at < a.at ? b : a))
    const next = choose ? sleepers[choose(sleepers)]! : first
    sleepers = sleepers.filter((one) => one !== next)
    now = Math.max(now, next.at)
    next.wake()
  }
  await end
  return probes
}

export async function truthOf({ probed }: RandomProgram, most: number): Promise<Truth> {
  const body = new AsyncFunction('sleep', '$', probed)
  const usual = await runOnce(body)
  const lines = new Set<number>()
  const first = new Set<number>()
  const path: { choice: number; of: number }[] = []
  for (let orders = 1; ; orders++) {
    let depth = 0
    const run = await runOnce(body, (sleepers) => {
      if (depth === path.length) path.push({ choice: 0, of: sleepers.length })
      return path[depth++]!.choice
    })
    const flips = [...flippedIn(usual, run)].sort((a, b) => a.at - b.at)
    for (const { line } of flips) lines.add(line)
    if (flips.length > 0) first.add(flips[0]!.line)
    while (path.length > 0 && path.at(-1)!.choice + 1 === path.at(-1)!.of) path.pop()
    if (path.length === 0 || orders === most) return { orders, lines, first, whole: path.length === 0 }
    path.at(-1)!.choice++
  }
}

/** docs/branches.md, "The same branch in two runs", for a program in which every task is one chain. */
function* flippedIn(usual: Probes, other: Probes): Generator<Decision> {
  for (const [task, { explicit, data }] of usual.decided) {
    const now = other.decided.get(task)
    if (!now) continue
    let same = 0
    while (same < explicit.length && isSame(explicit[same]!, now.explicit[same])) same++
    const [a, b] = [explicit[same], now.explicit[same]]
    if (a && b && a.line === b.line) yield b
    for (const [key, { outcome }] of data) {
      const again = now.data.get(key)
      if (again && again.outcome !== outcome && Number(key.split(' ', 1)[0]) <= same) yield again
    }
  }
}

const isSame = (a: Decision, b: Decision | undefined): boolean => b !== undefined && a.line === b.line && a.outcome === b.outcome
