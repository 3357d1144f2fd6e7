/** What the analyses of a run of tests have used together: a line for each, in a file in the folder of the run, which has several processes. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../base/or-nothing.ts'
import type { Ledger } from './suite-budget.ts'

const FILE = 'used'

export class FileLedger implements Ledger {
  private readonly path: string

  constructor(runs: string) {
    this.path = join(runs, FILE)
  }

  get ms(): number {
    return this.sum(0)
  }

  get replays(): number {
    return this.sum(1)
  }

  add(ms: number, replays: number): void {
    appendFileSync(this.path, `${ms} ${replays}\n`)
  }

  private sum(column: 0 | 1): number {
    const text = orNothing(() => readFileSync(this.path, 'utf8')) ?? ''
    return text.split('\n').reduce((sum, line) => sum + (Number(line.split(' ')[column]) || 0), 0)
  }
}
