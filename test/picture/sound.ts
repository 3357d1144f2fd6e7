/** What holds of every picture, whatever it shows. */
import { NONE } from '../../src/trace/trace.ts'
import type { Picture, PictureRun } from '../../src/picture/picture.ts'

/** What is wrong with a picture; empty when nothing is. */
export function wrongWith(picture: Picture): string[] {
  const wrong: string[] = []
  const check = (holds: boolean, what: string): void => void (holds || wrong.push(what))
  const { strings, lanes, observed, failing } = picture
  const isString = (i: number): boolean => Number.isInteger(i) && i >= NONE && i < strings.length
  check(new Set(strings).size === strings.length && !strings.includes(''), 'a string stands twice, or is empty')
  for (const lane of lanes) check(lane.name >= 0 && isString(lane.name) && isString(lane.from), 'a lane without a name')
  const shown = new Set([...observed.blocks, ...failing.blocks].map((block) => block.lane))
  check(shown.size === lanes.length, 'a lane with nothing in it')

  const runs: [string, PictureRun, PictureRun][] = [
    ['observed', observed, failing],
    ['failing', failing, observed],
  ]
  for (const [which, run, other] of runs) {
    const n = run.does.length
    const isEvent = (e: number): boolean => Number.isInteger(e) && e >= 0 && e < n
    for (const column of [run.does, run.what, run.value, run.site])
      check(column.length === n && column.every(isString), `${which}: a column`)
    check(
      run.does.every((i) => i >= 0),
      `${which}: an event that does nothing`,
    )
    let at = 0
    let time = -Infinity
    for (const block of run.blocks) {
      check(block.from === at && block.to >= block.from && block.lane >= 0 && block.lane < lanes.length, `${which}: blocks do not follow`)
      check(isString(block.name) && block.at >= time, `${which}: block ${block.from} has no name, or is earlier than the one before`)
      at = block.to
      time = block.at
    }
    check(at === n, `${which}: blocks end at ${at} of ${n}`)
    for (const { from, to, why } of run.arrows)
      check(isEvent(from) && isEvent(to) && from < to && why >= 0 && isString(why), `${which}: an arrow ${from} → ${to}`)
    for (const { lane, from, to, lock } of run.spans) {
      check(lock >= 0 && isString(lock) && isEvent(from) && (to === NONE || (isEvent(to) && from <= to)), `${which}: a span ${from}..${to}`)
      check(laneOf(run, from) === lane && (to === NONE || laneOf(run, to) === lane), `${which}: a span in another lane`)
    }
    check(run.flipped.length > 0 && run.flipped.every((e, i) => isEvent(e) && (i === 0 || run.flipped[i - 1]! < e)), `${which}: flipped`)
    check(run.same.length === n, `${which}: same`)
    run.same.forEach((there, here) => check(there === NONE || other.same[there] === here, `${which}: same of ${here} is ${there}`))
    check(run.cut.before >= 0 && run.cut.after >= 0, `${which}: cut`)
  }
  return wrong
}

export const laneOf = (run: PictureRun, event: number): number => run.blocks.find((b) => b.from <= event && event < b.to)!.lane
