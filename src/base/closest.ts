/** "Did you mean …": the known word nearest to a mistyped one, or undefined when none is near. */

const LONGEST = 40

export function closest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined
  let best: string | undefined
  // One letter is near to every other.
  let least = Math.min(word.length, Math.max(1, Math.floor(word.length / 3)) + 1)
  for (const candidate of known) {
    if (candidate.length > LONGEST) continue
    const d = candidate.includes(word) && word.length > 2 ? 1 : distance(word, candidate)
    if (d < least) {
      least = d
      best = candidate
    }
  }
  return best
}

/** How many letters to add, drop, change or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const [row, above, higher] = [[i], rows[i - 1]!, rows[i - 2]]
    for (let j = 1; j <= b.length; j++) {
      let d = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + Number(a[i - 1] !== b[j - 1]))
      if (higher && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, higher[j - 2]! + 1)
      row.push(d)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** The remedy of an error: the word that was meant, or something else to do. */
export const didYouMean = (near: string | undefined, otherwise: string): string =>
  near === undefined ? otherwise : `Did you mean ${near}?`
