/**
 * Families of programs that partial-order reduction is measured with, as little programs. `mazurkiewicz`: how many runs an optimal reduction has to make, as published with those algorithms
 * (readers and lastzero: Abdulla, Aronis, Jonsson and Sagonas, Source sets, JACM 2017; exponential: the program of figure 2 of Huang, PLDI 2015, with N writes in a section). Where there
 * is no published number for N it is left out, and counted by enumeration (mazurkiewicz.ts) where that can be done.
 */
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)

/** One thread writes, N threads read. */
export const readers = (n: number): string =>
  ['var x = 0', 'thread W:', '  x = 1', ...upTo(n).flatMap((i) => [`thread R${i}:`, '  r = x'])].join('\n')

/** Thread i puts one more into its slot than is in the slot before; one thread looks for the last slot that is zero. */
export const lastzero = (n: number): string => {
  const look = (i: number): string[] => (i === 0 ? ['r = a0'] : [`if a${i} != 0 {`, ...look(i - 1).map((line) => `  ${line}`), '}'])
  return [
    `var ${[0, ...upTo(n)].map((i) => `a${i} = 0`).join(', ')}`,
    'thread R:',
    ...look(n).map((line) => `  ${line}`),
    ...upTo(n).flatMap((i) => [`thread W${i}:`, `  a${i} = a${i - 1} + 1`]),
  ].join('\n')
}

/** Two threads that each add what the other one has, N times. */
export const fib = (n: number): string =>
  ['var i = 1, j = 1', 'thread A:', ...upTo(n).map(() => '  i = i + j'), 'thread B:', ...upTo(n).map(() => '  j = j + i')].join('\n')

/** N writes of the same value in a section, which a reduction tells apart and a reader cannot. */
export const exponential = (n: number): string => {
  const section = ['lock m', 'x = 1', ...upTo(n).map(() => 'y = 1'), 'unlock m']
  const second = ['lock m', 'x = 0', 'unlock m', 'if x > 0 {', '  y = y + 1', '  x = 2', '}']
  const third = ['if x > 1 {', '  if y == 3 {', '    r = 1', '  } else {', '    y = 2', '  }', '}']
  const twice = (lines: readonly string[]): string[] => [...lines, ...lines].map((line) => `  ${line}`)
  return ['var x = 0, y = 0', 'thread A:', ...twice(section), 'thread B:', ...twice(second), 'thread C:', ...twice(third)].join('\n')
}

export const PUBLISHED: Readonly<Record<string, (n: number) => number | undefined>> = {
  readers: (n) => 2 ** n,
  lastzero: (n) => (n >= 2 ? (n + 3) * 2 ** (n - 2) : undefined),
}
