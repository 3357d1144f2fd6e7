/** Quotes words for a shell, whatever they contain. */

export const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
export const words = (list: readonly string[]): string => list.map(word).join(' ')
