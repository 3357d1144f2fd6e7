/** Hooks for tests: plain ones that do nothing, and ones that check what they get and write a log. */
import type { MakeHooks, ModuleHooks } from '../../src/instrument/hooks.ts'
import { decodeSites } from '../../src/instrument/sites.ts'

/** Which argument each hook returns, -1 for none; all others are below. */
const RETURNS: Readonly<Record<string, number>> = {
  r: 0,
  er: 0,
  et: 0,
  ew: 3,
  en: -1,
  eu: -1,
  p: 0,
  at: 0,
  k: 0,
  kf: 1,
  w: 3,
  u: 3,
  y: -1,
  d: 0,
  m: 0,
  g: 3,
  h: 4,
  i: 0,
  o: 0,
  j: 0,
  f: 2,
  t: 0,
  vr: 3,
  vw: 3,
  vu: 3,
  ar: 1,
  e: -1,
  x: -1,
  b: 1,
  c: -1,
  q: -1,
  z: 1,
}

/** The plain hooks as JavaScript, for processes of their own. */
export const PLAIN_TEXT = `{${Object.entries(RETURNS)
  .map(([name, i]) => `${name}: (a, b, c, d, e) => ${'abcde'[i] ?? 'undefined'}`)
  .join(', ')}, s: () => ({}), a: () => false, l: async () => {}}`

export const plainHooks: MakeHooks = () => {
  const hooks: Record<string, unknown> = { s: () => ({}), a: () => false, l: async () => {} }
  for (const [name, i] of Object.entries(RETURNS)) hooks[name] = (...args: unknown[]) => args[i]
  return hooks as unknown as ModuleHooks
}

/** Which argument is the site, and how many arguments there must be. */
const SHAPES: Readonly<Record<keyof ModuleHooks, readonly [site: number, count: number]>> = {
  r: [2, 3],
  er: [2, 3],
  et: [-1, 1],
  ew: [2, 4],
  en: [-1, 2],
  eu: [2, 5],
  p: [-1, 1],
  at: [1, 2],
  k: [-1, 3],
  kf: [-1, 3],
  w: [2, 4],
  u: [2, 5],
  y: [2, 3],
  d: [2, 3],
  m: [2, 3],
  g: [2, 4],
  h: [2, 5],
  i: [1, 2],
  o: [1, 2],
  j: [1, 2],
  f: [1, 3],
  t: [1, 2],
  q: [0, 1],
  z: [-1, 2],
  s: [0, 2],
  vr: [2, 4],
  vw: [2, 4],
  vu: [2, 5],
  a: [0, 1],
  ar: [-1, 2],
  l: [0, 1],
  e: [0, 1],
  x: [0, 1],
  b: [0, 2],
  c: [0, 2],
}

/** `say` gets a line for each call: the hook, where it stands, and its other arguments. */
export function checkingHooks(say: (line: string) => void): MakeHooks {
  return (file, encoded) => {
    const sites = decodeSites(encoded)
    const plain = plainHooks(file, encoded) as unknown as Record<string, (...args: unknown[]) => unknown>
    const hooks: Record<string, (...args: unknown[]) => unknown> = {}
    for (const [name, [at, count]] of Object.entries(SHAPES)) {
      hooks[name] = (...args) => {
        if (args.length !== count) throw new Error(`hook ${name} got ${args.length} arguments`)
        if (at < 0) return plain[name]!(...args)
        const site = sites[args[at] as number]
        if (site === undefined) throw new Error(`hook ${name} got the site ${String(args[at])} of ${sites.length}`)
        if (name.startsWith('v')) {
          const variable = (args[0] as { names: string[] } | undefined)?.names[args[1] as number]
          if (variable === undefined) throw new Error(`hook ${name} got a variable nobody declared`)
          say(`${name} ${site.line}:${site.column} ${variable}`)
        } else {
          const rest = args.filter((value, i) => i !== at && (typeof value === 'string' || typeof value === 'number'))
          say(`${name} ${site.line}:${site.column} ${rest.join(' ')}`)
        }
        if (name !== 's') return plain[name]!(...args)
        const first = args[0] as number
        return { names: sites.slice(first, first + (args[1] as number)).map((s) => s.name) }
      }
    }
    return hooks as unknown as ModuleHooks
  }
}
