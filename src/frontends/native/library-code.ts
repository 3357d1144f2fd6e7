/**
 * Library code in a C++ program: templates and inline functions of system headers that the compiler did not inline. They are code of the program, but
 * act for their caller. Only for them does the runtime look up the caller (runtime/native/sites.c). Debug information says which file a function is
 * from.
 */
import { statSync } from 'node:fs'
import { framesOf } from './addr2line.ts'
import { functionsOf } from './symtab.ts'
import { SYSTEM } from './symbols.ts'

/** addr2line takes too long for more. Those of the standard library are known by their names. */
const MOST_ASKED = 5000
const STANDARD = /^_ZN?K?(?:St|9__gnu_cxx)/

/** `FROM TO FROM TO …`, hexadecimal, rising, in the file's own numbering; empty where there is none. */
export function libraryCode(path: string): string {
  const { size, mtimeMs } = statSync(path)
  const key = `${path} ${size} ${mtimeMs}`
  if (last?.key !== key) last = { key, text: rangesOf(path) }
  return last.text
}

let last: { readonly key: string; readonly text: string } | undefined

function rangesOf(path: string): string {
  // Copies that the optimiser has made have a dot in their names and are not weak.
  const inline = functionsOf(path).filter(({ name, isWeak }) => name.startsWith('_Z') && (isWeak || name.includes('.')))
  const others = new Set(inline.filter(({ name }) => !STANDARD.test(name)).map(({ start }) => start))
  const frames = others.size > 0 && others.size <= MOST_ASKED ? framesOf(path, [...others]) : undefined
  const ranges: [number, number][] = []
  for (const { start, size, name } of inline) {
    // The function itself is the outermost; others are inlined in it.
    if (!STANDARD.test(name) && !frames?.get(start)?.at(-1)?.file.startsWith(SYSTEM)) continue
    const before = ranges.at(-1)
    if (before && start <= before[1]) before[1] = Math.max(before[1], start + size)
    else ranges.push([start, start + size])
  }
  return ranges
    .flat()
    .map((n) => n.toString(16))
    .join(' ')
}
