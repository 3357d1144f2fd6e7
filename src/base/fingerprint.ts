/** 16 hexadecimal digits for a text in parts. */
import { createHash } from 'node:crypto'

export const fingerprintOf = (parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
