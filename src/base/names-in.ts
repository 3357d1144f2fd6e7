/** Names in a folder; none where it is not there. */
import { readdirSync } from 'node:fs'

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
