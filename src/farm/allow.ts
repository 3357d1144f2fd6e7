/**
 * Which commands a worker runs. Patterns come only from the worker's own command line. A pattern is words: `*` is one word, `**` any number of them,
 * and `*` inside a word is any part of a name. A star matches names in the project only: never an option, an absolute path, a path out of the folder
 * or a URL. So whoever can write to the queue can choose among the commands that the worker's owner has listed, and cannot inject code.
 */
const PLAIN = /^(?!-)(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))(?!.*:)[^\0\n]+$/

export function isAllowed(command: readonly string[], patterns: readonly string[]): boolean {
  return command.length > 0 && patterns.some((pattern) => fits(wordsOf(pattern), command))
}

/** Words are parted by blanks; quotes keep them together. */
export const wordsOf = (pattern: string): string[] =>
  [...pattern.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')

/** From left to right, with the last `**` to go back to: linear in the lengths of both, multiplied. */
function fits(pattern: readonly string[], words: readonly string[]): boolean {
  let [p, w] = [0, 0]
  let back: { readonly p: number; w: number } | undefined
  while (w < words.length) {
    const wanted = pattern[p]
    if (wanted === '**') {
      back = { p: p + 1, w }
      p++
    } else if (wanted !== undefined && wordFits(wanted, words[w]!)) {
      p++
      w++
    } else if (back && PLAIN.test(words[back.w]!)) {
      back.w++
      p = back.p
      w = back.w
    } else return false
  }
  return pattern.slice(p).every((word) => word === '**')
}

function wordFits(wanted: string, word: string): boolean {
  if (!wanted.includes('*')) return wanted === word
  if (!PLAIN.test(word)) return false
  const body = wanted.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${body.join('[^\\0]*')}$`, 's').test(word)
}
