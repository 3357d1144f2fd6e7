/** The built command, with its JSON if it printed some. */
import { execFile } from 'node:child_process'
import type { SavedCoverage } from '../../src/coverage.ts'
import type { FindingDocument } from '../../src/report/document.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BIN, ROOT } from '../cli/run.ts'
import { violations } from '../report/schema.ts'

const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'docs/finding.schema.json'), 'utf8')) as Record<string, unknown>

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly findings: readonly FindingDocument[]
  readonly coverage: SavedCoverage
}

export const heddle = (words: readonly string[], cwd: string): Promise<Ran> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...words], { cwd, timeout: 900_000, maxBuffer: 1 << 28 }, (error, out, err) => {
      const json = out.startsWith('{') ? (JSON.parse(out) as Pick<Ran, 'findings' | 'coverage'>) : { findings: [], coverage: [] }
      const wrong = out.startsWith('{') ? violations(SCHEMA, json) : []
      if (wrong.length > 0) reject(new Error(`what is printed does not follow the schema: ${wrong.join('; ')}`))
      else resolve({ ...json, code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err })
    })
  })
