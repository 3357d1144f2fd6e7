/**
 * Published concurrency bugs of libraries on Maven Central: a version that has it, and the first one that does not. What the program of a user does is drivers/NAME.java, which
 * says where the bug was reported. Plain it passes nearly always.
 */
import { delimiter, join } from 'node:path'
import { compile, noJava } from '../java/java.ts'
import { jarAt } from '../java-libraries/maven.ts'
import { sized } from '../layer.ts'
import { ROOT } from '../node-bugs/install.ts'
import { checkedFrom, node, told, type Checked } from '../node-bugs/run.ts'
import { HEDDLE, ownFolder } from '../programs/marked.ts'

export interface Case {
  readonly name: string
  readonly library: string
  readonly buggy: string
  readonly fixed: string
  /** What it needs besides. */
  readonly with?: readonly string[]
  /** What the report of the bug has: in the failure of the finding. */
  readonly symptom: RegExp
}

export const CASES: readonly Case[] = [
  {
    name: 'FunctionalJava',
    library: 'org/functionaljava/functionaljava',
    buggy: '4.2',
    fixed: '4.3',
    symptom: /NullPointerException.*fj\.P1\._1\(\).* is null/,
  },
  {
    name: 'GsonCyclic',
    library: 'com/google/code/gson/gson',
    buggy: '2.10',
    fixed: '2.10.1',
    symptom: /JsonSyntaxException: java\.lang\.IllegalStateException/,
  },
  {
    name: 'MicrometerCounter',
    library: 'io/micrometer/micrometer-core',
    buggy: '1.3.0',
    fixed: '1.3.1',
    with: ['org/hdrhistogram/HdrHistogram/2.1.12', 'org/latencyutils/LatencyUtils/2.0.3'],
    symptom: /1\.0 of 2 requests were counted/,
  },
  {
    name: 'MicrometerFilter',
    library: 'io/micrometer/micrometer-core',
    buggy: '1.13.4',
    fixed: '1.13.5',
    with: [
      'io/micrometer/micrometer-commons/1.13.4',
      'io/micrometer/micrometer-observation/1.13.4',
      'org/hdrhistogram/HdrHistogram/2.1.12',
      'org/latencyutils/LatencyUtils/2.0.3',
    ],
    symptom: /ConcurrentModificationException/,
  },
  {
    name: 'RxBehavior',
    library: 'io/reactivex/rxjava2/rxjava',
    buggy: '2.0.8',
    fixed: '2.0.9',
    with: ['org/reactivestreams/reactive-streams/1.0.4'],
    symptom: /NullPointerException/,
  },
  {
    name: 'RxToList',
    library: 'io/reactivex/rxjava2/rxjava',
    buggy: '2.0.8',
    fixed: '2.0.9',
    with: ['org/reactivestreams/reactive-streams/1.0.4'],
    symptom: /NullPointerException/,
  },
]

/** `a/b/1.0` is `a/b/1.0/b-1.0.jar`. */
function jarOf(path: string): Promise<string | undefined> {
  const [artifact, version] = path.split('/').slice(-2)
  return jarAt(`${path}/${artifact}-${version}.jar`)
}

/** Why nothing can be tried here; empty when all is there. */
export const cannot =
  noJava !== '' ? noJava : (await jarOf('org/functionaljava/functionaljava/4.2')) ? '' : ' (skipped: Maven Central cannot be reached)'

async function check({ name, library, with: others = [] }: Case, version: string, options: readonly string[]): Promise<Checked> {
  const jars = await Promise.all([`${library}/${version}`, ...others].map(jarOf))
  if (jars.includes(undefined)) throw new Error(`${library} ${version} cannot be had`)
  const dir = ownFolder()
  const classPath = [dir, ...jars].join(delimiter)
  compile(dir, ['-nowarn', '-cp', classPath, join(ROOT, 'test/java-bugs/drivers', `${name}.java`)])
  const words = [HEDDLE, 'check', '--json', ...options, '--time', '600', '--', 'java', '-cp', classPath, name]
  for (let left = MOST_RECORDINGS; ; left--) {
    const ran = await node(words, dir, 900_000)
    // On a busy machine the bug may show by itself.
    if (left === 0 || !ran.err.includes('The recorded run failed')) return checkedFrom(ran)
  }
}

const MOST_RECORDINGS = 3

export const checkBuggy = (one: Case): Promise<Checked> => check(one, one.buggy, ['--replays', sized('24', '80'), '--max-findings', '1'])

/** Empty when the buggy version is FAILED with the symptom of the report. */
export async function missed(one: Case): Promise<string> {
  const checked = await checkBuggy(one)
  return checked.failed.some(({ failure }) => one.symptom.test(JSON.stringify(failure))) ? '' : told(checked)
}

/** Empty when nothing is FAILED in the fixed version. */
export async function alarm(one: Case): Promise<string> {
  const checked = await check(one, one.fixed, ['--replays', sized('6', '40')])
  return checked.failed.length === 0 && checked.code === 0 ? '' : told(checked)
}
