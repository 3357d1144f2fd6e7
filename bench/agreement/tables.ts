/** The tables of docs/quality.md. */
import { execFileSync } from 'node:child_process'
import { ROOT } from '../../test/node-bugs/install.ts'
import type { Measured } from './measure.ts'

interface About {
  readonly loops: number
  readonly loads: readonly number[]
  readonly minutes: number
}

export function tables(all: readonly Measured[], { loops, loads, minutes }: About): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const between = loads.length === 0 ? 'unknown load' : `load of ${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}`
  const lines = [
    `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit} with Node ${process.versions.node}, ${loops} busy loops beside it, a ${between}, in ${minutes.toFixed(0)} minutes:`,
    '',
    row(['programs', 'measured', 'not measured', 'replays', 'failed', 'another way', 'agree']),
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  ]
  for (const set of new Set(all.map((one) => one.set)))
    lines.push(
      sumOf(
        set,
        all.filter((one) => one.set === set),
      ),
    )
  if (new Set(all.map((one) => one.set)).size > 1) lines.push(sumOf('**all**', all))
  const apart = all.filter((one) => one.lacks !== undefined || one.agree < one.replays)
  if (apart.length > 0) {
    lines.push('', row(['program', 'did not agree', 'first difference']), '| --- | ---: | --- |')
    for (const one of apart)
      lines.push(
        row([
          one.name,
          one.lacks === undefined ? `${one.replays - one.agree} of ${one.replays}` : 'not measured',
          one.lacks ?? one.how.join('; '),
        ]),
      )
  }
  lines.push('', row(['program', 'turns', 'agree', 'seconds']), '| --- | ---: | ---: | ---: |')
  for (const one of all) lines.push(row([one.name, String(one.turns), `${one.agree} of ${one.replays}`, one.seconds.toFixed(0)]))
  return `${lines.join('\n')}\n`
}

function sumOf(name: string, all: readonly Measured[]): string {
  const sum = (of: (one: Measured) => number): number => all.reduce((so, one) => so + of(one), 0)
  const lacking = sum((one) => Number(one.lacks !== undefined))
  const replays = sum((one) => one.replays)
  const rate = replays === 0 ? '–' : `${((100 * sum((one) => one.agree)) / replays).toFixed(1)} %`
  return row([name, ...[all.length - lacking, lacking, replays, sum((one) => one.failed), sum((one) => one.apart)].map(String), rate])
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
