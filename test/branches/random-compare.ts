/** One random program: what `heddle check --branches` confirms, beside what is true. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../src/base/random.ts'
import { branchesOf, checkBranches, lineOf } from './programs.ts'
import { exploreOrders } from './random-orders.ts'
import { randomProgram } from './random-programs.ts'
import { recordPaths } from './random-record.ts'
import { exploreThreads } from './random-thread-orders.ts'
import { ordersOf, randomThreads } from './random-thread-programs.ts'
import { truthOf } from './random-truth.ts'

export interface Comparison {
  readonly source: string
  readonly orders: number
  /** Lines, sorted. */
  readonly truth: readonly number[]
  /** Those that go another way before anything else does. */
  readonly first: readonly number[]
  /** What replays of all orders flipped; absent where they were not asked for. */
  readonly replayed?: readonly number[]
  /** What went wrong with them. */
  readonly complaints: readonly string[]
  readonly found: readonly number[]
  readonly seconds: number
}

const FILE = 'app.mjs'
const LIMITS = ['--time', '60', '--replays', '120', '--max-findings', '100', '--confirm', '1']
/** Beyond so many orders a program is left out. */
export const MOST_ORDERS = 700

const numbers = (sites: Iterable<string>): number[] =>
  [...new Set([...sites].map((site) => Number(lineOf(site).split(':').at(-1))))].sort((a, b) => a - b)
const sorted = (lines: Iterable<number>): number[] => [...lines].sort((a, b) => a - b)

/** `replays`: also replay every order. Undefined when there are too many orders. */
export async function compareTasks(seed: number, replays: boolean): Promise<Comparison | undefined> {
  const program = randomProgram(new Random(seed))
  const { orders, lines, first, whole } = await truthOf(program, MOST_ORDERS)
  if (!whole) return undefined
  return inFolder(program.source, async (cwd) => {
    const complaints: string[] = []
    let replayed: number[] | undefined
    if (replays) {
      const explored = await exploreOrders(await recordPaths(cwd, FILE, 'latency'), MOST_ORDERS)
      replayed = numbers(explored.flips.map(({ site }) => site))
      if (explored.runs !== orders) complaints.push(`${explored.runs} replays for ${orders} orders`)
      if (explored.missed > 0) complaints.push(`${explored.missed} replays in another order`)
    }
    return {
      ...(await checked(cwd, ['--timers', 'latency'])),
      orders,
      truth: sorted(lines),
      first: sorted(first),
      ...(replayed ? { replayed } : {}),
      complaints,
    }
  })
}

/** The same for a program of two threads. */
export async function compareThreads(seed: number, replays: boolean, accesses = 4): Promise<Comparison | undefined> {
  const program = randomThreads(new Random(seed), accesses)
  const orders = ordersOf(program)
  if (orders.length > MOST_ORDERS) return undefined
  return inFolder(program.source, async (cwd) => {
    const complaints: string[] = []
    let replayed: number[] | undefined
    if (replays) {
      const explored = await exploreThreads(await recordPaths(cwd, FILE, 'due'), orders, (site) => numbers([site])[0]!)
      replayed = numbers(explored.sites)
      if (explored.missed > 0) complaints.push(`${explored.missed} replays were given up`)
      complaints.push(...explored.disagree)
    }
    const truth = new Set(orders.flatMap(({ flips }) => [...flips]))
    const first = new Set(orders.flatMap((order) => order.first ?? []))
    return {
      ...(await checked(cwd, [])),
      orders: orders.length,
      truth: sorted(truth),
      first: sorted(first),
      ...(replayed ? { replayed } : {}),
      complaints,
    }
  })
}

async function checked(cwd: string, flags: readonly string[]): Promise<{ found: number[]; seconds: number }> {
  const result = await checkBranches(FILE, flags, cwd, LIMITS)
  return { found: numbers(branchesOf(result).map(({ site }) => site)), seconds: result.ms / 1000 }
}

async function inFolder(source: string, compare: (cwd: string) => Promise<Omit<Comparison, 'source'>>): Promise<Comparison> {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-random-'))
  try {
    writeFileSync(join(cwd, FILE), source)
    return { source, ...(await compare(cwd)) }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Branches that are said to be sensitive, and no order flips them. There must be none. */
export const wrongOf = ({ truth, found }: Comparison): number[] => found.filter((line) => !truth.includes(line))
