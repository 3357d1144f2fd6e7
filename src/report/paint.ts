/** Colours, where the reader is a terminal. */

/** As is usual: FORCE_COLOR decides if it is set, then NO_COLOR, then whether somebody looks. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const force = env['FORCE_COLOR']
  if (force !== undefined) return force !== '0' && force !== 'false'
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}

export interface Paint {
  status(text: string): string
  bold(text: string): string
  marked(text: string): string
  failed(text: string): string
  faint(text: string): string
}

export function painter(colour: boolean): Paint {
  const code = (open: number, close: number) => (text: string) => (colour && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text)
  return { status: code(33, 39), bold: code(1, 22), marked: code(36, 39), failed: code(31, 39), faint: code(2, 22) }
}
