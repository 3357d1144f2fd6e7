/** Every kind of file that Heddle reads: some right ones, and how they are read and shown. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { loadConfig } from '../../src/config/config.ts'
import { findFinding } from '../../src/confirm/find-finding.ts'
import { readRecordingIn } from '../../src/frontends/recording.ts'
import { endOf as javaEndOf } from '../../src/frontends/java/ended.ts'
import { readJavaRun } from '../../src/frontends/java/read-run.ts'
import { Sources } from '../../src/frontends/java/sources.ts'
import { readNativeRun } from '../../src/frontends/native/read-run.ts'
import { endOf } from '../../src/frontends/native/ended.ts'
import { readReport, readWorkerReport } from '../../src/frontends/node/read-report.ts'
import { threadPart } from '../../src/frontends/workers/threads.ts'
import { Fault } from '../../src/base/schema.ts'
import { HeddleError } from '../../src/errors.ts'
import { idOf, readItem } from '../../src/explore/queue/item.ts'
import { BadPack, unpacked, writeFiles } from '../../src/explore/queue/pack.ts'
import { readPlan, readSaid } from '../../src/explore/queue/plan.ts'
import { readResult } from '../../src/explore/queue/work.ts'
import { isAllowed } from '../../src/farm/allow.ts'
import { readRecord } from '../../src/farm/record.ts'
import { History } from '../../src/predict/history.ts'
import { parseProperties } from '../../src/property/parse.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { findingLines, wholeFailure } from '../../src/report/finding-text.ts'
import { htmlReport } from '../../src/report/html/page.ts'
import { junitReport } from '../../src/report/junit.ts'
import { markdownReport } from '../../src/report/markdown.ts'
import { perfettoReport } from '../../src/report/perfetto.ts'
import { documentIn } from '../../src/report/read-document.ts'
import { sarifReport } from '../../src/report/sarif.ts'
import { scheduleLines } from '../../src/report/schedule-text.ts'
import { printable } from '../../src/report/escape.ts'
import { plainSchedule } from '../../src/schedule/schedule.ts'
import { keepSchedules, readSchedules, schedulesOf } from '../../src/runners/schedules.ts'
import { mergeParts, partIn } from '../../src/runners/part.ts'
import { NOTHING, readSummary } from '../../src/runners/summaries.ts'
import { checkOrder, decidePolygraph, parsePolygraph } from '../../src/solve/polygraph/index.ts'
import { runningCheck } from '../../src/store/progress-file.ts'
import { readPaths } from '../../src/symbolic/read-paths.ts'
import { PathTurns } from '../../src/symbolic/turns.ts'
import { writeTrace } from '../../src/trace/file.ts'
import { openTrace } from '../../src/trace/open.ts'
import { drawTrace } from '../../src/trace/text.ts'
import { documentWith, everyFinding } from '../formats/findings.ts'
import { sampleDocument } from '../html/sample-document.ts'
import { RUN, writeJavaRun } from '../frontends/java/raw-file.ts'
import { shortFile, withoutPieces, withPieces } from '../frontends/java/short-file.ts'
import { RawRun } from '../native-read/raw-file.ts'
import { PRINTED } from '../property/printed.ts'
import { Rows } from '../symbolic/rows.ts'
import { threadTrace } from '../threads/thread-files.ts'
import { ROOT } from '../cli/run.ts'

export interface Kind {
  readonly name: string
  /** Of all inputs, so many in a hundred. */
  readonly share: number
  /** `blocks`: a trace file with checksums. */
  readonly form: 'bytes' | 'json' | 'blocks'
  readonly good: readonly Buffer[]
  /** A HeddleError is an answer. Gives what a terminal or a report would show. */
  read(bytes: Buffer): Iterable<string> | Promise<Iterable<string>>
}

const text = (...texts: readonly string[]): Buffer[] => texts.map((one) => Buffer.from(one))
const inRoot = (path: string): Buffer => readFileSync(join(ROOT, path))

/** `folder`: for files of readers that want a path. It is theirs. */
export function kinds(folder: string): Kind[] {
  const at = (name: string): string => join(folder, name)
  const made = new Set<string>()
  const put = (name: string, bytes: Uint8Array | string): string => {
    const path = at(name)
    if (!made.has(name)) mkdirSync(join(path, '..'), { recursive: true })
    made.add(name)
    writeFileSync(path, bytes)
    return path
  }
  return [
    ...traces(put, at),
    ...recordings(put, at),
    ...javaRecordings(put, at),
    ...documents(),
    ...kept(put, at),
    ...written(put, folder),
    ...fromQueue(folder),
  ]
}

type Put = (name: string, bytes: Uint8Array | string) => string
type At = (name: string) => string

function traces(put: Put, at: At): Kind[] {
  const std = Buffer.from('T1|fork(T2)|1\nT1|acq(l)|2\nT1|w(x)=5|3\nT1|rel(l)|4\nT2|acq(l)|5\nT2|r(x)=5|6\nT2|rel(l)|7\nT1|join(T2)|8\n')
  const drawing = inRoot('examples/account.txt')
  put('good.txt', drawing)
  writeTrace(openTrace(at('good.txt')), at('good.heddle'))
  const rows = new Rows()
  rows.turn(0)
  rows.chain('main')
  const [x, y] = [rows.read('x', 2), rows.read('y', 3)]
  rows.turn(4)
  rows.chain('timer 1')
  const sum = rows.expression('+', x, y)
  rows.write('z', sum, 5)
  rows.branch('if', true, rows.expression('<', sum, rows.constant(9)), 'a.js:3:5')
  mkdirSync(at('paths'), { recursive: true })
  const paths = at('paths/main.heddle')
  writeTrace(rows.finish(), paths)
  const opened = (name: string) => (bytes: Buffer) => [drawTrace(openTrace(put(name, bytes)))]
  return [
    { name: 'trace files', share: 10, form: 'blocks', good: [readFileSync(at('good.heddle'))], read: opened('trace') },
    { name: 'traces in STD', share: 8, form: 'bytes', good: [std], read: opened('std') },
    { name: 'drawings', share: 8, form: 'bytes', good: [drawing], read: opened('drawing') },
    {
      name: 'paths files',
      share: 10,
      form: 'blocks',
      good: [readFileSync(paths)],
      read: (bytes) => {
        writeFileSync(paths, bytes)
        for (const one of readPaths(at('.'))) {
          const turns = new PathTurns(one)
          for (const branch of one.branches)
            void [one.siteOf(branch), one.kindOf(branch), one.outcomeOf(branch), one.inputsOf(one.ofRow(branch)), turns]
        }
        return []
      },
    },
  ]
}

function javaRecordings(put: Put, at: At): Kind[] {
  writeJavaRun(at('java'), RUN)
  const sources = new Sources(at('java'), [])
  const raw = at('java/threads/1.raw')
  const tables = readFileSync(at('java/tables'))
  const good = readFileSync(raw)
  const names = (): string[] => {
    const { notes, trace } = readJavaRun(at('java'), sources)
    return [...notes, ...trace.tables.locations, ...trace.tables.locks, ...trace.tables.sites].map(printable)
  }
  return [
    {
      name: 'raw Java recordings',
      share: 4,
      form: 'bytes',
      good: [good, readFileSync(at('java/threads/0.raw'))],
      read: (bytes) => {
        put('java/tables', tables)
        writeFileSync(raw, bytes)
        return names()
      },
    },
    {
      name: 'Java recordings with short records',
      share: 2,
      form: 'bytes',
      good: [withoutPieces(shortFile(good, 5, 0)), withoutPieces(shortFile(good, 1000, 0))],
      read: (bytes) => {
        put('java/tables', tables)
        writeFileSync(raw, withPieces(bytes))
        return names()
      },
    },
    {
      name: 'names of a Java run',
      share: 2,
      form: 'bytes',
      good: [tables],
      read: (bytes) => {
        put('java/tables', bytes)
        writeFileSync(raw, good)
        return names()
      },
    },
    {
      name: 'what a Java run says of its end',
      share: 2,
      form: 'bytes',
      good: text(
        'start 17|/jdk\nline 1 20 pack/Bank.pay:12\ngave-up 2 it has to wait\nwaits main|20|Bank|1|pack/Bank.pay:12|thread 1\ndeadlock\n',
        'start 17|/jdk\nuncaught thread 1|java.lang.Error|no\x01more|Bank.pay(Bank.java:12)\ndelay 1 held\ndelay 1 gave-up\nend 1\n',
      ),
      read: (bytes) => {
        put('java/result', bytes)
        const { waiting, uncaught } = javaEndOf(at('java'), sources, plainSchedule({ command: ['java', 'Bank'], timers: 'due' }), false)
        return [...waiting, uncaught?.message ?? ''].map(printable)
      },
    },
  ]
}

function recordings(put: Put, at: At): Kind[] {
  new RawRun(
    `main: create 1\nthread 1: begin\nmain: create 2\nthread 2: begin\nthread 1: write 0x1000:4 =1\nthread 2: read 0x1000:4 =1 +5
     thread 1: atomic_update 0x1008:8 =5 >6\nthread 2: atomic_update 0x1008:8 =6 >7\nthread 1: write 0x1010:8 =6\nthread 2: read 0x1014:4 =0`,
  ).write(at('native'))
  const raw = (name: string): string => at(`native/threads/${name}.raw`)
  const good = ['thread 1', 'thread 2', 'main'].map((name) => readFileSync(raw(name)))
  mkdirSync(at('run/threads'), { recursive: true })
  const files = [
    threadTrace('main', [
      [1, 'ra(main#1+0:4i)=0', 'u(main#1+0:4i)=1'],
      [3, 'ra(main#1+0:4i)=2'],
    ]),
    threadTrace('worker 1', [[2, 'ra(main#1+0:4i)=1', 'u(main#1+0:4i)=2']]),
  ].map((trace) => {
    const path = at(`run/threads/${trace.taskName(0)}.heddle`)
    writeTrace(trace, path)
    return path
  })
  return [
    {
      name: 'raw native recordings',
      share: 12,
      form: 'bytes',
      good,
      read: (bytes) => {
        writeFileSync(raw('thread 2'), bytes)
        return readNativeRun(at('native'), { root: '/' }).notes.map(printable)
      },
    },
    {
      name: 'what a native run says of its end',
      share: 4,
      form: 'bytes',
      good: text(
        'start\nline 1 main 401000 1\ngave-up 2 the thread went another way\nwaits main|4|1000|401000|thread 1\ndeadlock\n',
        'start\nviolation double-free|main|1000|401000|thread 1|401010\ncrash 11 main 401000\ndropped 5\ncode 1\n',
      ),
      read: (bytes) => {
        put('native/result', bytes)
        const { waiting, seen } = endOf(at('native'), '/', plainSchedule({ command: ['./p'], timers: 'due' }), false)
        return [...waiting, ...seen.map(({ says }) => says)].map(printable)
      },
    },
    {
      name: 'files of worker threads',
      share: 6,
      form: 'blocks',
      good: [readFileSync(files[1]!)],
      read: (bytes) => {
        writeFileSync(files[1]!, bytes)
        return (threadPart(at('run'))?.notes ?? []).map(printable)
      },
    },
    {
      name: 'reports of runs',
      share: 4,
      form: 'json',
      good: text(
        JSON.stringify({
          node: 'v20.0.0',
          modules: ['a.js'],
          skipped: [{ file: 'b.js', why: 'large' }],
          notes: [],
          events: 1,
          turns: 2,
          end: { code: 1, turn: 1, uncaught: { kind: 'exception', message: 'x', stack: 'at f' } },
          replay: [
            { step: 0, did: 'held' },
            { step: 1, did: 'gave up', why: 'idle' },
          ],
          threads: { done: 1, gaveUp: { line: 1, why: 'x' } },
          waiting: ['main'],
        }),
      ),
      read: (bytes) => {
        const path = put('report.json', bytes)
        const report = readReport(path)
        return [...(report?.notes ?? []), ...(readWorkerReport(path)?.modules ?? [])].map(printable)
      },
    },
  ]
}

function documents(): Kind[] {
  const good = [documentWith(everyFinding().slice(0, 5), { varies: ['exit code 1'] }), sampleDocument({ findings: 2, events: 12 })]
  let nth = 0
  const reports = [htmlReport, sarifReport, junitReport, markdownReport, perfettoReport, documentJson]
  return [
    {
      name: 'results of checks, and every report of them',
      share: 12,
      form: 'json',
      good: text(...good.map((document) => [...documentJson(document)].join(''))),
      read: (bytes) => {
        const document = documentIn(JSON.parse(bytes.toString()), 'findings.json')
        return reports[nth++ % reports.length]!(document)
      },
    },
  ]
}

function kept(put: Put, at: At): Kind[] {
  const stored = everyFinding()
    .slice(0, 7)
    .map(({ prediction, ...finding }) => JSON.stringify({ ...prediction, ...finding, run: 'runs/1' }))
  const bare = ['delays', 'holds', 'plain', 'steps', 'waylay'].map((name) => inRoot(`test/schedule/version-1/${name}.json`))
  const options = { width: 100, colour: false, root: at('.'), verbose: true }
  const run = at('.heddle/runs/1')
  mkdirSync(run, { recursive: true })
  const recording = JSON.stringify({
    frontEnd: 'node',
    command: ['node', 'a.js'],
    folder: run,
    trace: join(run, 'trace.heddle'),
    timers: 'due',
    include: [],
    exclude: [],
    ms: 1,
    stopped: false,
    stdio: ['quiet', 'pipe', 'pipe'],
    input: join(run, 'stdin'),
    observed: { runtime: 'node v20', modules: ['a.js'], skipped: [], events: 1 },
    notes: [],
  })
  return [
    {
      name: 'findings and schedules',
      share: 12,
      form: 'json',
      good: [...text(...stored), ...bare],
      read: (bytes) => {
        put('.heddle/findings/abc.json', bytes)
        const { finding } = findFinding('abc', at('.'))!
        const lines = scheduleLines(finding.prediction.schedule).map(printable)
        return [...findingLines(finding, undefined, options), ...wholeFailure(finding), ...lines].map((line) => `${line}\n`)
      },
    },
    {
      name: 'recordings',
      share: 4,
      form: 'json',
      good: text(recording),
      read: (bytes) => {
        put('.heddle/runs/1/recording.json', bytes)
        return (readRecordingIn(run)?.notes ?? []).map(printable)
      },
    },
    {
      name: 'history and progress',
      share: 3,
      form: 'json',
      good: text(
        '{"version":1,"attempts":[{"machine":"M","operations":["a","b"],"sites":["a.js:1:1","a.js:2:1"],"code":"x","ended":{"diverged":1},"inputs":["node a.js"],"when":"2026"}]}',
        '{"pid":1,"phase":"replaying","text":"x","replays":1,"mostReplays":2,"findings":0,"failed":0}',
      ),
      read: (bytes) => {
        put('.heddle/progress.json', bytes)
        runningCheck(at('.heddle'))
        History.load(JSON.parse(bytes.toString()), () => 'line\nline\n').save()
        return []
      },
    },
  ]
}

function written(put: Put, folder: string): Kind[] {
  const test = { file: join(folder, 'a.test.js'), name: 'suite > it' }
  const [one, two] = everyFinding()
    .slice(0, 2)
    .map(({ prediction }) => prediction)
  const failing = { ...everyFinding()[0]!, prediction: { ...one!, fingerprint: 'fresh' } }
  const polygraphs = [
    { n: 5, next: [1, 2, -1, 4, -1], hard: [[0, 3]], poly: [[0, 4, 1, 3]] },
    {
      n: 4,
      next: [1, -1, 3, -1],
      hard: [],
      poly: [
        [0, 2, 3, 1],
        [1, 2, 3, 0],
      ],
      hints: [1, 2],
    },
  ]
  return [
    {
      name: 'committed schedules of tests',
      share: 6,
      form: 'json',
      good: text(JSON.stringify({ heddle: 1, tests: { 'suite > it': [one, two], other: [] } })),
      read: (bytes) => {
        put(`__schedules__/${'a.test.js.json'}`, bytes)
        const { saved, wrong } = readSchedules(test)
        keepSchedules(test, { failed: [failing], fixed: [], stale: [] }, true)
        readFileSync(schedulesOf(test.file))
        return [...wrong, ...saved.map((s) => s.fingerprint)].map(printable)
      },
    },
    {
      name: 'summaries of test processes',
      share: 2,
      form: 'json',
      good: text('{"analysed":1,"replayed":1,"off":0,"notRecorded":[{"test":"a","why":"b"}],"findings":0,"notes":["x"],"wrong":["y"]}'),
      read: (bytes) => readSummary(put('summary.json', bytes)).flatMap((s) => s.notes.map(printable)),
    },
    {
      name: 'configurations',
      share: 6,
      form: 'json',
      good: text(
        '{"time":30,"replays":10,"report":["a.md"],"include":["src"],"test":{"time":5,"off":["x"]},"timers":"latency","json":true}',
      ),
      read: async (bytes) => {
        const { check, test: tests } = await loadConfig(folder, put('heddle.config.json', bytes))
        return [...check.keys(), tests.timers]
      },
    },
    {
      name: 'properties',
      share: 8,
      form: 'bytes',
      good: [
        inRoot('examples/shop.prop'),
        inRoot('library/paths.prop'),
        inRoot('library/streams.prop'),
        ...text(...PRINTED.map(({ printed }) => printed)),
      ],
      read: (bytes) => parseProperties(bytes.toString('utf8'), 'a.prop').declarations.map(({ name }) => name),
    },
    {
      name: 'polygraphs',
      share: 5,
      form: 'json',
      good: text(...polygraphs.map((one) => JSON.stringify(one))),
      read: (bytes) => {
        const parsed = parsePolygraph(bytes.toString())
        if ('fault' in parsed) throw new HeddleError('bad', parsed.fault, '')
        const answer = decidePolygraph(parsed)
        if (!answer.unknown && answer.feasible) checkOrder(parsed, answer.order)
        return []
      },
    },
  ]
}

export const clean = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Anyone with access to the queue can put anything there. Nothing of it is run: a worker asks its own patterns, and these allow nothing here. */
function fromQueue(folder: string): Kind[] {
  const hash = 'a'.repeat(64)
  const common = { heddle: 1, run: 'abcdef123456' }
  const fit = { heddle: '0.1.0', platform: 'linux x64', runtime: 'node v20.20.2', program: hash, parts: { 'app.js': 'a'.repeat(16) } }
  const record = { ...common, command: ['node', 'app.js'], fit, root: '/p', host: 'h', started: '2026-01-01T00:00:00Z' }
  const schedule = plainSchedule({ command: ['node', 'app.js'], timers: 'due' })
  const watch = [{ kind: 'call', owner: 'fs', name: 'readFile', when: ['before'], args: 1, first: ['x'] }]
  const plan = { kind: 'replay', schedule, watch, ownWatch: watch, memory: false, toDraw: true, branches: false }
  const said = { exit: { code: 1, ms: 20 }, stdout: 'out', stderr: '', root: '/p' }
  const head = JSON.stringify({
    said,
    files: [
      { name: 'report.json', size: 2 },
      { name: 'threads/1', size: 1 },
    ],
  })
  const plain = Buffer.from(`heddle pack 1\n${head}\n{}x`)
  const entry = { name: 'a.test.js', started: '2026-01-01T00:00:00Z', exit: 0, summary: NOTHING, documents: [], output: 'ok' }
  const part = {
    heddle: 1,
    version: '0.1.0',
    command: ['node', '--test'],
    root: '/p',
    shards: 2,
    timers: 'due',
    budgets: { time: 1, replays: 1, maxFindings: 1, confirm: 1 },
    entries: [entry],
  }
  const json = (...values: readonly unknown[]): Buffer[] => text(...values.map((value) => JSON.stringify(value)))
  const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
  const opened = async (bytes: Buffer): Promise<Iterable<string>> => {
    const place = join(folder, 'unpacked')
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    try {
      const pack = await unpacked(bytes)
      writeFiles(place, pack)
      const how = readSaid(pack.said)
      return [how instanceof Fault ? printable(how.text) : printable(how.stdout)]
    } catch (error) {
      if (error instanceof BadPack) return [printable(error.message)]
      throw error
    }
  }
  return [
    {
      name: 'items of a queue',
      share: 4,
      form: 'json',
      good: json(
        { ...common, kind: 'replay', plan: hash, nth: 2, watchdogMs: 10_000 },
        { ...common, kind: 'tests', nth: 2, name: 'a.test.js' },
      ),
      read: (bytes) => {
        const item = readItem(bytes)
        if (item instanceof Fault) return [printable(item.text)]
        if (!/^[A-Za-z0-9-]+$/.test(idOf(item))) throw new Error('an id that is no name')
        return [printable(JSON.stringify(item))]
      },
    },
    {
      name: 'plans of replays',
      share: 2,
      form: 'json',
      good: json(plan, { kind: 'alone' }),
      read: (bytes) => {
        const read = readPlan(bytes)
        return [printable('wrong' in read ? read.wrong : read.kind)]
      },
    },
    {
      name: 'records of runs',
      share: 2,
      form: 'json',
      good: json({ ...record, kind: 'check', recording: hash, options: ['--time=60'] }),
      read: (bytes) => {
        const { command } = readRecord('abcdef123456', bytes.toString())
        if (isAllowed(command, ['node --test **']) && command[1] !== '--test') throw new Error(`allowed: ${command.join(' ')}`)
        return [printable(command.join(' '))]
      },
    },
    {
      name: 'results of items',
      share: 1,
      form: 'json',
      good: json({ object: 'result-1', attempt: 1, ms: 5, by: 'w' }, { dead: 'it ended 3 workers', attempt: 4 }),
      read: (bytes) => [printable(JSON.stringify(readResult(bytes.toString())))],
    },
    { name: 'packs of files', share: 2, form: 'bytes', good: [deflateRawSync(plain)], read: opened },
    { name: 'what is in packs of files', share: 2, form: 'bytes', good: [plain], read: (bytes) => opened(deflateRawSync(bytes)) },
    {
      name: 'parts of a run of tests',
      share: 2,
      form: 'json',
      good: json(part),
      read: (bytes) => [printable(mergeParts([partIn(parsed(bytes), 'part')]).command.join(' '))],
    },
  ]
}
