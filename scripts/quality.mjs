/**
 * The tables of what `npm run test:all` measured, from .heddle/quality. With UPDATE=1 they also go into docs/quality.md, each between its two marks, with the date and
 * the commit. What is not between marks is written by hand and stays.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, '.heddle/quality')
const PAGE = join(ROOT, 'docs/quality.md')
const MARKS = { rates: ['<!-- measured -->', '<!-- end -->'], files: ['<!-- wrong files -->', '<!-- end of wrong files -->'] }

const HEAD = ['group', 'programs', 'recordings', 'found', 'false alarms', 'rate', 'threshold']
const percent = (share) => (share === undefined ? '' : `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`)
const cells = (row) => [
  row.group,
  row.programs,
  row.recordings,
  row.found ?? '',
  row.falseAlarms ?? '',
  percent(row.rate),
  percent(row.threshold),
]

const rows = (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
const line = (list) => `| ${list.join(' | ')} |`
const table = [line(HEAD), line(HEAD.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map((row) => line(cells(row)))].join('\n')
const often = rows.flatMap((row) =>
  Object.entries(row.wrong).map(([name, times]) => `${row.group}: ${name}, ${times} of ${row.recordings / row.programs}`),
)
const missed = often.length === 0 ? '' : `\nNot as they should be:\n\n${often.map((text) => `- ${text}`).join('\n')}\n`
const fuzzed = fuzzTable()
console.log(`\n${table}\n${missed}\n${fuzzed}`)

if (process.env.UPDATE === '1') {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const when = `Measured on ${date} at commit ${commit}, with Node ${process.versions.node}; the load at the end was ${loadavg()[1].toFixed(0)} on ${availableParallelism()} cores.`
  let page = readFileSync(PAGE, 'utf8')
  if (rows.length > 0) page = between(page, MARKS.rates, `${when}\n\n${table}\n${missed}`)
  if (fuzzed !== '') page = between(page, MARKS.files, `${when}\n\n${fuzzed}`)
  writeFileSync(PAGE, page)
}

/** The page with another text between two marks. */
function between(page, [begin, end], text) {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${PAGE} has no ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`
}

/** What test/fuzz left: by kind of file, how many wrong ones were read, and what that took. */
function fuzzTable() {
  const folder = join(FOLDER, 'fuzz')
  const kinds = (existsSync(folder) ? readdirSync(folder) : []).sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  if (kinds.length === 0) return ''
  const sum = (field) => kinds.reduce((so, kind) => so + kind[field], 0)
  const most = (field) => Math.max(...kinds.map((kind) => kind[field]))
  const all = { kind: '**all**', inputs: sum('inputs'), refused: sum('refused'), slowest: most('slowest'), mb: most('mb') }
  const head = ['wrong files', 'inputs', 'refused', 'slowest, ms', 'memory grew, MB']
  const lines = [...kinds, all].map(({ kind, inputs, refused, slowest, mb }) => line([kind, inputs, refused, slowest, mb]))
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...lines].join('\n')
}
