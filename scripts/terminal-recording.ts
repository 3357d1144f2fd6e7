/**
 * docs/images/check.svg: the README's command as it ran in a terminal. The lines come from a real run and appear when they came; the animation is CSS, and who asked for less
 * motion sees the end at once.
 *
 *   npm run recording
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMAND = 'npx heddle check -- node examples/tickets.js'

/** Of a character and a line, in pixels. */
const CELL = 7.83
const LINE = 18
const MARGIN = 16
const COLUMNS = 100
/** How fast the command is typed, in seconds a character. */
const TYPED = 0.03

interface Shown {
  readonly text: string
  /** Seconds after the command was entered. */
  readonly at: number
}

/** What standard output shows, line by line, with the moment at which each line came. */
async function recorded(): Promise<Shown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-recording-'))
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  const child = spawn(process.execPath, [join(ROOT, 'bin/heddle.js'), ...COMMAND.split(' ').slice(2)], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const begin = performance.now()
  const lines: Shown[] = []
  let rest = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const at = (performance.now() - begin) / 1000
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop()!
    lines.push(...parts.map((text) => ({ text, at })))
  }
  rmSync(folder, { recursive: true, force: true })
  return lines
}

const CLASSES: Readonly<Record<string, string>> = { 1: 'bold', 2: 'faint', 31: 'red', 33: 'yellow', 36: 'cyan' }
const CLOSES: Readonly<Record<string, readonly string[]>> = { 22: ['bold', 'faint'], 39: ['red', 'yellow', 'cyan'] }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A line with its colours as spans. */
function spans(line: string): string {
  const on = new Set<string>()
  let out = ''
  // oxlint-disable-next-line no-control-regex
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    // oxlint-disable-next-line no-control-regex
    const [, code] = /^\u001b\[(\d+)m$/.exec(part) ?? []
    if (code === undefined) out += on.size === 0 ? escaped(part) : `<tspan class="${[...on].join(' ')}">${escaped(part)}</tspan>`
    else if (Object.hasOwn(CLASSES, code)) on.add(CLASSES[code]!)
    else for (const closed of CLOSES[code] ?? []) on.delete(closed)
  }
  return out
}

function svg(lines: readonly Shown[]): string {
  const typed = COMMAND.length * TYPED
  const [width, height] = [COLUMNS * CELL + 2 * MARGIN, (lines.length + 1) * LINE + 2 * MARGIN]
  const row = (n: number): number => MARGIN + (n + 1) * LINE - 5
  const at = (seconds: number): string => `style="animation-delay:${seconds.toFixed(2)}s"`
  const command = [...COMMAND].map((c, i) => `<tspan class="l" ${at(i * TYPED)}>${escaped(c)}</tspan>`).join('')
  const texts = lines.map(
    ({ text, at: when }, i) => `<text class="l" x="${MARGIN}" y="${row(i + 1)}" ${at(typed + when)}>${spans(text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-label="${escaped(COMMAND)} finds a bug: two buyers get the last ticket">
<style>
text { font: 13px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6e9ed; white-space: pre }
.bold { font-weight: 700 } .faint { opacity: 0.7 } .red { fill: #ff8a80 } .yellow { fill: #ffd479 } .cyan { fill: #5cc4dc } .prompt { fill: #7fd494 }
.l { opacity: 0; animation: in 0.01s forwards }
@keyframes in { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { .l { animation: none; opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="8" fill="#15181c"/>
<text x="${MARGIN}" y="${row(0)}"><tspan class="prompt">$ </tspan>${command}</text>
${texts.join('\n')}
</svg>
`
}

const file = join(ROOT, 'docs/images/check.svg')
writeFileSync(file, svg(await recorded()))
console.log(file)
