/** Branches that another schedule flips: a few lines each, harmful ones first. */
import type { BranchNote, SeenWrite } from '../schedule/order.ts'
import type { BranchClass, Finding } from '../confirm/confirm.ts'
import type { Saved } from '../schedule/saved.ts'
import { shortSite } from '../trace/site.ts'
import { cut, printable } from './escape.ts'
import { causeText } from './finding-words.ts'
import { lineFrom, sourceLine, type Source } from './finding-source.ts'
import { wrap } from './lines.ts'
import type { Paint } from './paint.ts'
import { namesIn, type Names } from './resource-name.ts'

const CLASSES: readonly BranchClass['class'][] = ['harmful', 'unclear', 'ad hoc synchronization', 'benign']
const INDENT = '   '
const MOST_SHOWN = 40

/** Was it seen to flip? */
export const isBranch = (finding: Finding<Saved>): boolean => finding.branchClass !== undefined

export function branchLines(
  findings: readonly Finding<Saved>[],
  width: number,
  root: Source,
  paint: Paint,
  shortId: (id: string) => string,
): string[] {
  const branches = findings.filter(isBranch).sort((a, b) => rank(a) - rank(b))
  if (branches.length === 0) return []
  const counts = CLASSES.map((name) => [branches.filter((f) => f.branchClass!.class === name).length, name] as const)
  const parts = counts.filter(([n]) => n > 0).map(([n, name]) => `${n} ${name}`)
  const lines = [
    paint.bold(
      `${branches.length === 1 ? 'One branch depends' : `${branches.length} branches depend`} on the schedule: ${parts.join(', ')}.`,
    ),
  ]
  for (const { prediction, branchClass, cause } of branches.slice(0, MOST_SHOWN)) {
    const branch = prediction.branch!
    const head = `${branchClass!.class}  ${shortSite(branch.site)}  `
    lines.push(
      `${INDENT}${paint.status(branchClass!.class)}${cut(printable(`  ${shortSite(branch.site)}  ${sourceLine(branch.site, root)}`), width - head.length + shortSite(branch.site).length)}`,
    )
    const text = `${wentOtherWay(branch, namesIn(prediction, lineFrom(root)))} ${branchClass!.why}${cause ? ` ${causeText(cause)}` : ''} heddle replay ${shortId(prediction.fingerprint)}`
    lines.push(...wrap(printable(text), width - 2 * INDENT.length, 5).map((line) => INDENT + INDENT + line))
  }
  if (branches.length > MOST_SHOWN) lines.push(`${INDENT}… ${branches.length - MOST_SHOWN} more (--json lists them all)`)
  return [...lines, '']
}

const rank = ({ branchClass }: Finding<Saved>): number => CLASSES.indexOf(branchClass!.class)

/** "`if`: true as recorded, false under the other schedule. It saw ready = 1 (a.js:3), and can see ready = 0 (a.js:9)." */
function wentOtherWay({ kind, recorded, flipped, saw, sees }: BranchNote, names: Names): string {
  const [was, is] = shown(recorded, flipped)
  const how = `\`${kind}\`: ${was} as recorded, ${is} under the other schedule.`
  return saw && sees ? `${how} It saw ${written(saw, names)}, and can see ${written(sees, names)}.` : how
}

/** Objects by their class, unless both are of one: then with their labels. */
function shown(recorded: string, flipped: string): [string, string] {
  const text = (outcome: string): string => cut(outcome.replace(/^#/, ''), 40)
  const name = (outcome: string): string => (outcome.startsWith('#') ? text(outcome.replace(/@.*$/s, '')) : text(outcome))
  return name(recorded) === name(flipped) ? [text(recorded), text(flipped)] : [name(recorded), name(flipped)]
}

function written({ location, value, site }: SeenWrite, names: Names): string {
  if (site === '') return `${names(location)} as it was at the start`
  return `${names(location)}${value === '' ? '' : ` = ${cut(value, 40)}`} (${shortSite(site)})`
}
