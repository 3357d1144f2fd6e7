/** GitHub Actions, on by default there: annotations in the output of the step, and the Markdown report on its summary page. */
import { appendFileSync } from 'node:fs'
import type { CheckDocument } from '../report/document.ts'
import { printable } from '../report/escape.ts'
import { githubAnnotations } from '../report/github.ts'
import { markdownReport } from '../report/markdown.ts'

export type Annotations = 'auto' | 'on' | 'off'

/** The lines to print; none where nobody reads them. */
export function* annotationsFor(document: CheckDocument, which: Annotations, env: NodeJS.ProcessEnv): Generator<string> {
  if (which === 'off' || (which === 'auto' && env['GITHUB_ACTIONS'] !== 'true')) return
  yield* githubAnnotations(document, env['GITHUB_WORKSPACE'] || document.root)
  const summary = env['GITHUB_STEP_SUMMARY']
  if (!summary) return
  try {
    appendFileSync(summary, `${[...markdownReport(document)].join('')}\n`)
  } catch (error) {
    yield `::notice title=Heddle::${printable(`The summary of the step cannot be written: ${(error as NodeJS.ErrnoException).code ?? ''}`)}\n`
  }
}
