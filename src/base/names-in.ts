/** The names in a folder; none if the folder does not exist. */
import { readdirSync } from 'node:fs'

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
