/** Text in lines of a given width, and the small things lines are made of. */

/** Breaks at spaces into at most `most` lines; the last may be cut. */
export function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, width - 2)} …`]
}

export const shellWord = (text: string): string => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

export const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
