/** Words as a shell takes them, whatever is in them. */

export const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
export const words = (list: readonly string[]): string => list.map(word).join(' ')
