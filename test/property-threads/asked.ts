/** Properties asked of traces in the text notation, by each decider that can answer. */
import { sized } from '../layer.ts'
import { expect } from 'vitest'
import { predict, type Witnessed, type PredictOptions, type Predictions } from '../../src/predict/predict.ts'
import type { DeciderName } from '../../src/predict/decide/deciders.ts'
import type { Declaration } from '../../src/property/ast.ts'
import { parseProperties } from '../../src/property/parse.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { Checker } from '../../src/witness/check.ts'
import { MODELS, type Model } from '../../src/trace/model.ts'
import { totalsOf } from '../adds-up.ts'

export const properties = (text: string): readonly Declaration[] => parseProperties(text).declarations

export const DECIDERS: readonly DeciderName[] = sized(['staged', 'polygraph'], ['staged', 'polygraph', 'z3'])

/** Each prediction as `(binding) names with sites`, sorted: the same under every model and decider that can answer, or it throws. */
export async function violationsBy(
  trace: Trace,
  text: string,
  options: PredictOptions & { models?: readonly Model[] } = {},
): Promise<string[]> {
  const { models = MODELS, ...rest } = options
  const answers = new Map<string, string>()
  for (const model of models) {
    for (const decider of DECIDERS) {
      if (decider === 'polygraph' && (model === 'maximal' || trace.facts.order === 'task')) continue
      if (model === 'data' && trace.facts.order === 'task') continue
      const found = await predict(trace, {
        ungrouped: true,
        kinds: ['property', 'typestate'],
        properties: properties(text),
        model,
        decider,
        ...rest,
      })
      expect(totalsOf(found.coverage).unknown, `${decider} ${model}`).toBe(0)
      checkAll(trace, found)
      answers.set(`${decider} ${model}`, JSON.stringify(different(found.predictions.map((p) => described(trace, p)))))
    }
  }
  expect(new Set(answers.values()).size, [...answers].join('\n')).toBe(1)
  return JSON.parse([...answers.values()][0]!) as string[]
}

function checkAll(trace: Trace, found: Predictions): void {
  const checker = new Checker(trace, found.model)
  for (const { candidate, witness } of found.predictions) expect(checker.check(candidate, witness.order)).toBeUndefined()
}

export function described(trace: Trace, { candidate }: Witnessed): string {
  const { binding, names } = candidate.property!
  const bound = Object.values(binding).map((value) => value.replace(/^#/, ''))
  return `(${bound.join(', ')}) ${candidate.events.map((e, i) => `${names[i]}@${trace.siteName(e)}`).join(' ')}`
}

export const different = (list: readonly string[]): string[] => [...new Set(list)].sort()

/** The sites of the run that is looked at, each once where it stands several times in a row: the witness, what comes next, and then all the rest as recorded. */
export function schedule(trace: Trace, { candidate, witness }: Witnessed): string {
  const run = [...witness.order, ...candidate.next]
  const rest = [...trace.recordedOrder()].filter((e) => !run.includes(e))
  const sites = [...run, ...rest].map((e) => trace.siteName(e))
  return sites.filter((site, i) => sites.indexOf(site) === i).join('-')
}
