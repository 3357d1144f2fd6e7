/** Globs: `*` stands for any run of characters, everything else for itself. Names come from observed programs, so no pattern may take long on one. */

export const isGlob = (pattern: string): boolean => pattern.includes('*')

/** Goes back to the last star only, so it takes pattern times name at worst. */
export function globFits(pattern: string, name: string): boolean {
  if (pattern === '*') return true
  let p = 0
  let n = 0
  let star = -1
  let from = 0
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++
      from = n
    } else if (p < pattern.length && pattern[p] === name[n]) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++from
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
