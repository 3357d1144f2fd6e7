/** A picture made from the rows of both orders, for findings without one (older ones, predictions that were not replayed): fewer events, no arrows. */
import { ofThreads } from '../../../schedule/schedule.ts'
import type { Picture, PictureBlock, PictureLane, PictureRun } from '../../../picture/picture.ts'
import type { FindingDocument } from '../../document.ts'

type Step = FindingDocument['observed'][number]

export function rowsPicture({ observed, failing, schedule }: FindingDocument): Picture | undefined {
  if (observed.length === 0 && failing.length === 0) return undefined
  const strings: string[] = []
  const indices = new Map<string, number>()
  const indexOf = (text: string | undefined): number => {
    if (text === undefined) return -1
    let index = indices.get(text)
    if (index === undefined) {
      index = strings.push(text) - 1
      indices.set(text, index)
    }
    return index
  }
  const chains = [...new Set([...observed, ...failing].map((step) => step.chain))]
  const lanes = chains.map((chain): PictureLane => {
    const step = [...observed, ...failing].find((s) => s.chain === chain)!
    const kind = schedule === undefined || ofThreads(schedule) ? 'thread' : step.offLoop ? 'outside' : 'chain'
    return { name: indexOf(step.name), kind, from: indexOf(step.posted) }
  })
  const verbs: Record<string, string> = {}
  const places = new Map<string, number>()
  const keyOf = (step: Step, access: number): string => JSON.stringify([step.turn.label, step.turn.nth, access])
  const columns = (
    steps: readonly Step[],
  ): Pick<PictureRun, 'does' | 'what' | 'value' | 'site' | 'blocks'> & { keys: string[]; rows: number[] } => {
    const run = {
      does: [] as number[],
      what: [] as number[],
      value: [] as number[],
      site: [] as number[],
      blocks: [] as PictureBlock[],
      keys: [] as string[],
      rows: [] as number[],
    }
    for (const [nth, step] of steps.entries()) {
      const from = run.does.length
      for (const [i, { access, verb, location, value, site }] of step.accesses.entries()) {
        if (verb !== undefined) verbs[access] = verb
        run.does.push(indexOf(access))
        run.what.push(indexOf(location))
        run.value.push(indexOf(value))
        run.site.push(indexOf(site === '' ? undefined : site))
        run.keys.push(keyOf(step, i))
        run.rows.push(nth + 1)
      }
      run.blocks.push({ lane: chains.indexOf(step.chain), name: indexOf(step.name), from, to: run.does.length, at: step.at })
    }
    return run
  }
  const [left, right] = [columns(observed), columns(failing)]
  const finished = ({ keys, ...run }: typeof left, other: typeof left): PictureRun => {
    places.clear()
    for (const [i, key] of other.keys.entries()) places.set(key, i)
    return {
      ...run,
      same: keys.map((key) => places.get(key) ?? -1),
      arrows: [],
      spans: [],
      flipped: keys.map((_, i) => i),
      cut: { before: 0, after: 0 },
    }
  }
  return { strings, lanes, observed: finished(left, right), failing: finished(right, left), failingIs: 'prediction', verbs }
}
