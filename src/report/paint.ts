/** Colours, where the reader is a terminal. */

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
