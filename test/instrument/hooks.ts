/** Hooks for tests: plain ones that do nothing, and ones that check what they get and write a log. */
import type { MakeHooks, ModuleHooks } from '../../src/instrument/hooks.ts'
import { decodeSites } from '../../src/instrument/sites.ts'

export const plainHooks: MakeHooks = () => ({
  r: (base) => base,
  w: (_base, _key, _site, value) => value,
  u: (_base, _key, _site, result) => result,
  y: () => {},
  d: (base) => base,
  m: (base) => base,
  g: (_base, _name, _site, last) => last,
  h: (_base, _name, _site, _key, last) => last,
  i: (iterable) => iterable,
  o: (object) => object,
  f: (_target, _site, source) => source,
  t: (base) => base,
  s: () => ({}),
  vr: (_scope, _index, _site, value) => value,
  vw: (_scope, _index, _site, value) => value,
  vu: (_scope, _index, _site, result) => result,
  a: () => false,
  l: async () => {},
  e: () => {},
  x: () => {},
  b: (_site, value) => value,
  c: () => {},
})

/** Which argument is the site, and how many arguments there must be. */
const SHAPES: Readonly<Record<keyof ModuleHooks, readonly [site: number, count: number]>> = {
  r: [2, 3],
  w: [2, 4],
  u: [2, 5],
  y: [2, 3],
  d: [2, 3],
  m: [2, 3],
  g: [2, 4],
  h: [2, 5],
  i: [1, 2],
  o: [1, 2],
  f: [1, 3],
  t: [1, 2],
  s: [0, 2],
  vr: [2, 4],
  vw: [2, 4],
  vu: [2, 5],
  a: [0, 1],
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
        const site = sites[args[at] as number]
        if (args.length !== count) throw new Error(`hook ${name} got ${args.length} arguments`)
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
