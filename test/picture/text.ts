/** A picture as text: a line per event, a column per lane. `*` marks what is flipped, `=` the number of the same event in the other run. */
import type { Picture, PictureRun } from '../../src/picture/picture.ts'

const WIDTH = 26

export function textOf(picture: Picture): string {
  const text = (i: number): string => (i < 0 ? '' : picture.strings[i]!)
  const cell = (line: string): string => line.slice(0, WIDTH - 1).padEnd(WIDTH)
  const ofRun = (name: string, run: PictureRun): string[] => {
    const lines = [`${name}${run.cut.before + run.cut.after > 0 ? `, without ${run.cut.before} before and ${run.cut.after} after` : ''}`]
    for (const block of run.blocks) {
      for (let e = block.from; e < block.to; e++) {
        const value = text(run.value[e]!)
        const said = `${run.flipped.includes(e) ? '*' : ' '}${text(run.does[e]!)} ${text(run.what[e]!)}${value === '' ? '' : `=${value}`}`
        const same = run.same[e]! < 0 ? '' : `=${run.same[e]}`
        lines.push(
          `${String(e).padStart(3)} ${same.padEnd(4)}${picture.lanes.map((_, lane) => cell(lane === block.lane ? said : '')).join('')}`.trimEnd(),
        )
      }
    }
    for (const { kind, from, to, why } of run.arrows) lines.push(`    ${kind} ${from} → ${to}  ${text(why)}`)
    for (const { lane, lock, from, to } of run.spans)
      lines.push(`    ${text(picture.lanes[lane]!.name)} holds ${text(lock)} ${from}..${to}`)
    return lines
  }
  return [
    `        ${picture.lanes.map((lane) => cell(text(lane.name))).join('')}`.trimEnd(),
    ...ofRun('observed', picture.observed),
    ...ofRun(picture.failingIs, picture.failing),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
