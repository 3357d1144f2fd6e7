/**
 * A reporter with one line at the end of every run: what was analysed and what was not. A run in which nothing was recorded must not look like a
 * green one.
 */
import { printable } from '../../report/escape.ts'
import type { TestSummary } from '../contract.ts'
import { summaryLines } from '../summary-text.ts'
import { HANDED } from './handed.ts'
import { addSummaries, NOTHING } from '../summaries.ts'

const COULD_NOT = 2

/** As much of Vitest's TestModule as is looked at. */
interface TestModule {
  readonly project: { readonly name: string }
  readonly children: { allTests(): Iterable<{ readonly fullName: string; result(): { readonly state: string } }> }
  meta(): Record<string, unknown>
}

export class SayAtEnd {
  readonly #left = new Map<string, string>()
  readonly #atEnd: (summary: TestSummary) => void

  constructor(atEnd: (summary: TestSummary) => void) {
    this.#atEnd = atEnd
  }

  /** The tests of a project are not recorded. */
  leaveOut(project: string, why: string): void {
    this.#left.set(project, why)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length === 0) return
    const summary = addSummaries(modules.map((module) => this.#summaryOf(module)))
    this.#atEnd(summary)
    // Not to the output: that may be the report of another reporter.
    process.stderr.write(
      summaryLines(summary)
        .map((line) => `${printable(line)}\n`)
        .join(''),
    )
    // As `heddle test` does: a test that failed counts more.
    if (summary.wrong.length > 0) process.exitCode ||= COULD_NOT
  }

  #summaryOf(module: TestModule): TestSummary {
    const known = module.meta()[HANDED] as TestSummary | undefined
    if (known !== undefined) return known
    const { name } = module.project
    const why = this.#left.get(name) ?? (name === '' ? 'the runtime was not there' : `the project ${name} does not have the plugin`)
    const ran = [...module.children.allTests()].filter((test) => ['passed', 'failed'].includes(test.result().state))
    return { ...NOTHING, notRecorded: ran.map(({ fullName }) => ({ test: fullName, why })) }
  }
}
