/** Every wrong program of the repository, with the check whose headline is judged. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { branchPrograms, checkBranches, placeOf, type BranchJson } from '../branches/programs.ts'
import { APPS, cannotRun } from '../databases/apps.ts'
import { checkWrong } from '../databases/checks.ts'
import { cannot as noLibraries, CASES, checkBuggy as checkLibrary } from '../java-bugs/cases.ts'
import { CORPUS, FURTHER } from '../node-bugs/cases.ts'
import { checkBuggy } from '../node-bugs/expect.ts'
import { ROOT } from '../node-bugs/install.ts'
import { check, type Checked } from '../node-bugs/run.ts'
import { cannot as noJava, headline as checkJava, javaPrograms } from '../programs/java.ts'
import { ownFolder } from '../programs/marked.ts'
import { cannot as noNative, headline as checkNative, nativePrograms } from '../programs/native.ts'
import { headline as checkWorkers, WRONG } from '../programs/workers.ts'
import { samples } from '../property-library/samples.ts'
import { expectedOf, type Expected } from './expected.ts'

export interface WrongProgram {
  readonly group: string
  readonly name: string
  /** Undefined where nothing is written beside it. */
  readonly expected: Expected | undefined
  /** Why it cannot be run here; empty where it can. */
  readonly missing: string
  readonly checked: () => Promise<Checked>
}

/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const BUDGET = ['--replays', '60', '--time', '600', '--max-findings', '1', '--picture', '0']

const drivers = join(ROOT, 'test/node-bugs/cases')
const javaDrivers = join(ROOT, 'test/java-bugs/drivers')
const SAMPLES = join(ROOT, 'test/programs/properties')

/** Of a program that stands by itself, beside what it needs, with the options that it asks for. */
function checkFile(file: string): Promise<Checked> {
  const cwd = ownFolder()
  cpSync(dirname(file), cwd, { recursive: true })
  const flags = /^\/\/ flags: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split(' ') ?? []
  return check([basename(file)], [...BUDGET, ...flags], cwd)
}

/** A branch whose flip changes what is printed is told without being FAILED: then it is the headline. */
function withHarmful(checked: Checked): Checked {
  const harmful = checked.json.findings.filter((finding) => (finding as { branch?: BranchJson }).branch?.class === 'harmful')
  return checked.failed.length > 0 ? checked : { ...checked, failed: harmful }
}

export const wrongPrograms = (): WrongProgram[] => [
  ...[...CORPUS, ...FURTHER].map((bug) => ({
    group: 'npm bugs',
    name: bug.name,
    expected: expectedOf(join(drivers, `${bug.name}.cjs`), 'driver.cjs'),
    missing: '',
    checked: () => checkBuggy(bug),
  })),
  ...APPS.map((app) => ({
    group: 'applications',
    name: app.name,
    expected: app.expected,
    missing: cannotRun(app),
    checked: () => checkWrong(app),
  })),
  ...WRONG.map((program) => ({
    group: 'worker threads',
    name: program.name,
    expected: expectedOf(program.file),
    missing: '',
    checked: () => checkWorkers(program),
  })),
  ...nativePrograms('wrong').map((program) => ({
    group: 'C and C++',
    name: program.name,
    expected: expectedOf(program.file),
    missing: noNative,
    checked: () => checkNative(program),
  })),
  ...javaPrograms('wrong').map((program) => ({
    group: 'Java',
    name: program.name,
    expected: expectedOf(program.file),
    missing: noJava,
    checked: () => checkJava(program),
  })),
  ...CASES.map((one) => ({
    group: 'Java libraries',
    name: one.name,
    expected: expectedOf(join(javaDrivers, `${one.name}.java`)),
    missing: noLibraries,
    checked: () => checkLibrary(one),
  })),
  ...samples('wrong').map(({ name }) => ({
    group: 'properties',
    name,
    expected: expectedOf(join(SAMPLES, name)),
    missing: '',
    checked: () => checkFile(join(SAMPLES, name)),
  })),
  ...branchPrograms('sensitive').flatMap((program) => {
    const expected = expectedOf(program.file)
    // Those without a harmful branch are right programs.
    if (!expected) return []
    const checked = async (): Promise<Checked> => {
      const cwd = placeOf(program)
      try {
        return withHarmful(await checkBranches(program.name, program.flags, cwd))
      } finally {
        rmSync(cwd, { recursive: true, force: true })
      }
    }
    return [{ group: 'branches', name: program.name, expected, missing: '', checked }]
  }),
]
