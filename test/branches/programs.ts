/**
 * The programs under test/programs/branches. A comment at the end of a line says that the branch there is schedule-sensitive, and what its flip
 * does: `// sensitive: benign`. A line `// flags: …` gives options of `heddle check`. Files whose names begin with `_` belong to others.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ROOT } from '../node-bugs/install.ts'
import { check, type Checked } from '../node-bugs/run.ts'

export interface BranchProgram {
  readonly name: string
  readonly file: string
  readonly flags: readonly string[]
  /** `file:line class`, sorted. */
  readonly expected: readonly string[]
}

export function branchPrograms(verdict: 'sensitive' | 'not-sensitive'): BranchProgram[] {
  const folder = join(ROOT, 'test/programs/branches', verdict)
  return readdirSync(folder)
    .filter((file) => /^[^_].*\.[cm]js$/.test(file))
    .map((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n')
      const flags = lines.flatMap((line) => /^\/\/ flags: (.*)$/.exec(line)?.[1]?.split(' ') ?? [])
      const expected = lines.flatMap((line, i) => {
        const kind = /\/\/ sensitive: (.*)$/.exec(line)?.[1]
        return kind === undefined ? [] : [`${file}:${i + 1} ${kind}`]
      })
      return { name: basename(file), file: join(folder, file), flags, expected: expected.sort() }
    })
}

/** A copy of the program with those beside it: what Heddle leaves behind stays there. */
export function placeOf({ file }: BranchProgram): string {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-branches-'))
  cpSync(dirname(file), cwd, { recursive: true })
  return cwd
}

export interface BranchJson {
  readonly site: string
  readonly kind: string
  readonly class?: string
}

export const checkBranches = (file: string, flags: readonly string[], cwd: string, limits: readonly string[] = LIMITS): Promise<Checked> =>
  check([file], ['--branches', ...flags, ...limits], cwd)

/** Enough for all that these programs have. */
const LIMITS = ['--time', '600', '--replays', '40', '--max-findings', '30', '--confirm', '2', '--library', 'off', '--depth', '1']

/** The confirmed branches. */
export const branchesOf = ({ json }: Checked): BranchJson[] =>
  json.findings.flatMap((finding) => {
    const { also = [], ...first } = finding as { branch?: BranchJson; also?: { branch?: BranchJson }[] }
    return [first, ...also].flatMap(({ branch }) => (branch?.class === undefined ? [] : [branch]))
  })

/** `file:line`, from `file:line:column function`. */
export const lineOf = (site: string): string => /^(.*?:\d+)/.exec(site)?.[1] ?? site

const WORST = ['harmful', 'ad hoc', 'unclear', 'benign']

/** `file:line class`, sorted: of several branches on a line the worst. */
export function seenOf(branches: readonly BranchJson[]): string[] {
  const byLine = new Map<string, number>()
  for (const branch of branches) {
    const rank = WORST.indexOf(branch.class!.replace(' synchronization', ''))
    const line = lineOf(branch.site)
    byLine.set(line, Math.min(rank, byLine.get(line) ?? rank))
  }
  return [...byLine].map(([line, rank]) => `${line} ${WORST[rank] ?? '?'}`).sort()
}
