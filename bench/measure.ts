/** Repeats, and how they are said: least, mean ± deviation. */
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'

export const min = (list: readonly number[]): number => Math.min(...list)
export const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length

export function deviation(list: readonly number[]): number {
  const m = mean(list)
  return list.length < 2 ? 0 : Math.sqrt(list.reduce((sum, x) => sum + (x - m) ** 2, 0) / (list.length - 1))
}

export const spread = (list: readonly number[], digits: number): string =>
  list.length < 2
    ? list[0]!.toFixed(digits)
    : `${min(list).toFixed(digits)}, ${mean(list).toFixed(digits)} ± ${deviation(list).toFixed(digits)}`

/** Runs one measurement of a script in a process of its own; it prints one line of JSON. */
export function fresh<T>(script: string, words: readonly string[]): T & { peak: number } {
  const child = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.status !== 0) throw new Error(`${script} ${words.join(' ')} ended with ${child.status ?? child.signal}`)
  return JSON.parse(child.stdout) as T & { peak: number }
}

/** What a process that `fresh` started prints, with the most memory it ever had, in bytes. */
export const tell = (result: object): void => console.log(JSON.stringify({ ...result, peak: process.resourceUsage().maxRSS * 1024 }))

/** The result and the milliseconds it took. */
export function timed<T>(action: () => T): [T, number] {
  const start = performance.now()
  const result = action()
  return [result, performance.now() - start]
}

/** The processor's milliseconds as well, of all threads: where others use the machine too they say more than the wall clock. */
export function timedBoth<T>(action: () => T): [T, { ms: number; cpu: number }] {
  const before = process.cpuUsage()
  const [result, ms] = timed(action)
  const { user, system } = process.cpuUsage(before)
  return [result, { ms, cpu: (user + system) / 1000 }]
}

/** Columns as wide as what is in them; the first to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = rows[0]!.map((_, c) => Math.max(...rows.map((row) => row[c]?.length ?? 0)))
  return rows.map((row) => row.map((cell, c) => (c === 0 ? cell.padEnd(width[c]!) : cell.padStart(width[c]!))).join('  ')).join('\n')
}

export const machine = (): string =>
  `${new Date().toISOString().slice(0, 16)}, node ${process.version}, load ${loadavg()
    .map((l) => l.toFixed(1))
    .join(' ')}`
