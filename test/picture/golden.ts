/** Pictures as text are kept beside the tests: `UPDATE=1 npx vitest run test/picture` writes them anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

export function golden(name: string, text: string): void {
  const path = join(import.meta.dirname, 'golden', name)
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}
