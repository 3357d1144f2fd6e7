/** `// heddle: off`: before the first statement of a test file for the whole file; in the line above a test or in its first line for that test. */

const OFF = /\/[/*]\s*heddle:\s*off\b/
const TITLE = /\b(?:test|it|specify|fit|bench)\b[\w.]*\s*(?:\([^'"`]*\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/

export interface Off {
  readonly file: boolean
  /** Is the test with this name (all of it) off? */
  test(name: string): boolean
}

export function offIn(source: string): Off {
  const nothing = { file: false, test: () => false }
  if (!OFF.test(source)) return nothing
  const lines = source.split(/\r?\n/)
  const titles: RegExp[] = []
  let started = false
  for (const [i, line] of lines.entries()) {
    if (OFF.test(line)) {
      if (!started && !TITLE.test(lines[i + 1] ?? '')) return { file: true, test: () => true }
      const title = titleOf([line, lines[i - 1] ?? '']) ?? titleOf(lines.slice(i + 1, i + 4))
      if (title !== undefined) titles.push(title)
    }
    if (!/^\s*(\/\/.*|\/\*.*|\*.*|#!.*|['"]use strict['"];?)?$/.test(line)) started = true
  }
  return { file: false, test: (name) => titles.some((title) => title.test(name)) }
}

/** Names may be templates: `%s` and `$name` of test.each, `${…}`. */
function titleOf(lines: readonly string[]): RegExp | undefined {
  for (const line of lines) {
    const found = TITLE.exec(line)
    if (!found) continue
    const body = found[2]!
      .replaceAll(/\\(.)/g, '$1')
      .split(/(%[sdifjo#%]|\$\{[^}]*\}|\$[\w.]+)/)
      .map((part, i) => (i % 2 === 1 ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('')
    return new RegExp(`(?:^| > )${body}$`, 's')
  }
  return undefined
}
