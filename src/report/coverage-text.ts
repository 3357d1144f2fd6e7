/** How much was examined, in a sentence whose numbers add up. Printed with every result, so that silence is not taken for proof. */
import { sumOf, type SavedCoverage, type SavedRow } from '../coverage.ts'

/** What a check knows besides its coverage. */
export interface Looked {
  readonly coverage: SavedCoverage
  readonly recorded: {
    readonly events: number
    readonly modules: number
    readonly skipped: readonly { readonly file: string; readonly why: string }[]
    readonly skippedPercent?: number | undefined
  }
  readonly replays: number
  /** Of the replays: those without delays. */
  readonly plain: number
  readonly notReplayed: number
}

/** `1,531 pairs: 1,480 impossible, 38 predicted, 10 of a cause already predicted, 3 undecided` */
export function candidatesText(rows: readonly SavedRow[], one: string, many = `${one}s`): string {
  const sum = (of: (row: SavedRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const history = sum((row) => row.notLookedAt['history'] ?? 0)
  const parts = [
    [sum((row) => sumOf(row.infeasible)), 'impossible'],
    [sum((row) => sumOf(row.feasible)), 'predicted'],
    [sum((row) => row.grouped), 'of a cause already predicted'],
    [sum((row) => sumOf(row.unknown)), 'undecided'],
    [history, 'tried before without success'],
    [sum((row) => sumOf(row.notLookedAt)) - history, 'not looked at'],
  ] as const
  const settled = parts.filter(([n]) => n > 0).map(([n, words]) => `${number(n)} ${words}`)
  const least = rows.some((row) => row.atLeast) ? 'at least ' : ''
  const head = `${least}${counted(
    sum((row) => row.candidates),
    one,
    many,
  )}`
  return settled.length === 0 ? head : `${head}: ${settled.join(', ')}`
}

/** `Looked at: 214 turns, 3,402 accesses in 12 modules; 57 pairs: …; 5 replays.` */
export function lookedAtText({ coverage, recorded, replays, plain, notReplayed }: Looked): string {
  const row = (predictor: string): SavedRow | undefined => coverage.find((one) => one.predictor === predictor)
  const [turns, threads, properties, branches] = [row('turns'), row('threads'), row('properties'), row('branches')]
  if (coverage.some((one) => fact(one, 'failed') > 0))
    return `Looked at: a recorded run that failed, so nothing was predicted from it; ${counted(replays, 'replay')}.`
  const shared = threads && fact(threads, 'active') > 1 ? threads : undefined
  if (!turns && !shared) return `Looked at: ${oneThread(threads)}`
  const { events, modules } = recorded
  const facts = [
    shared
      ? `${counted(fact(shared, 'threads'), 'thread')} with ${counted(fact(shared, 'steps'), 'step')} and ${counted(fact(shared, 'cells'), 'shared cell')}${locks(fact(shared, 'locks'))}`
      : '',
    turns
      ? `${counted(fact(turns, 'turns'), 'turn')}, ${counted(fact(turns, 'accesses'), 'access', 'accesses')} in ${counted(modules, 'module')}${left(recorded)}`
      : counted(events, 'event'),
  ].filter((part) => part !== '')
  const asked = properties
    ? `${counted(fact(properties, 'properties'), 'property', 'properties')} with ${candidatesText([properties], 'instance')}${
        fact(properties, 'forgotten') === 0 ? '' : ` (${counted(fact(properties, 'forgotten'), 'event')} dropped)`
      }`
    : ''
  const parts = [
    facts.join(', '),
    candidatesText(
      [shared, turns].filter((one) => one !== undefined),
      'pair',
    ),
    asked,
    `${counted(replays, 'replay')}${plain === 0 || plain === replays ? '' : ` (${plain} without delays)`}${notReplayed === 0 ? '' : `, ${counted(notReplayed, 'order')} not replayed for lack of time or replays`}`,
  ].filter((part) => part !== '')
  const explored = row('exploration')
  return `Looked at: ${parts.join('; ')}.${turns ? protectedText(turns) : ''}${explored ? ` ${exploredText(explored)}` : ''}${branches ? ` ${branchesText(branches)}` : ''}`
}

const MOST_PROTECTED = 4

/** ` Protected by the server: items[id=7].stock (one statement), key cart:42 (lock) and 3 more.` */
function protectedText({ protected: all = [] }: SavedRow): string {
  const texts = [...new Set([...all].sort((a, b) => b.candidates - a.candidates).map(({ location, by }) => `${location} (${by})`))]
  if (texts.length === 0) return ''
  const more = texts.length - MOST_PROTECTED
  return ` Protected by the server: ${texts.slice(0, MOST_PROTECTED).join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}.`
}

/** `Explored: 37 runs of 36 classes of schedules, up to 4 departures from the recorded run; 12 departures not looked at, 3 undecided (the threads went another way).` */
function exploredText(row: SavedRow): string {
  const [classes, runs] = [fact(row, 'classes'), fact(row, 'runs')]
  if (classes === 0) return 'Nothing was explored: the recorded run is too long.'
  const left = sumOf(row.notLookedAt)
  const undecided = sumOf(row.unknown)
  const isDone = left === 0 && undecided === 0
  const isAll = isDone && fact(row, 'partial') === 0
  const why = Object.keys(row.unknown).join('; ')
  const rest = [
    left === 0 ? '' : `at least ${counted(left, 'departure')} not looked at`,
    undecided === 0 ? '' : `${number(undecided)} undecided (${why})`,
    isDone ? 'no delay is left that leads to a new one' : '',
  ].filter((part) => part !== '')
  if (isAll)
    return `All ${counted(classes, 'class', 'classes')} of schedules of this input were run (sequential consistency). ${fact(row, 'failures') === 0 ? 'None fails.' : 'Some of them fail.'}`
  return `Explored: ${counted(classes, 'class', 'classes')} of schedules in ${counted(runs, 'run')}, up to ${counted(fact(row, 'depth'), 'departure')} from the recorded run; ${rest.join(', ')}.`
}

/** What was given up on before its end, in a sentence each. */
export function cutShort(coverage: SavedCoverage): string[] {
  return coverage
    .filter((row) => row.predictor === 'deadlock' && (row.notLookedAt['limit'] ?? 0) > 0)
    .map(() => 'The search for deadlocks was cut short: this trace has too many cycles of locks. The shortest ones were examined.')
}

/** Of a trace alone: `Looked at: 12 events of 3 tasks; data races: 4 candidates: …; deadlocks: …` */
export function traceText(coverage: SavedCoverage, events: number, tasks: number): string {
  const asked = coverage.filter((row) => row.candidates > 0 || row.atLeast)
  const none = coverage.filter((row) => !asked.includes(row)).map((row) => MANY[row.predictor] ?? row.predictor)
  const parts = [
    `${counted(events, 'event')} of ${counted(tasks, 'task')}`,
    ...asked.map((row) => `${MANY[row.predictor] ?? row.predictor}: ${candidatesText([row], 'candidate').replace(/: (.*)$/, ' ($1)')}`),
    none.length === 0 ? '' : `no candidate: ${none.join(', ')}`,
  ].filter((part) => part !== '')
  return `Looked at: ${parts.join('; ')}.`
}

const MANY: Readonly<Record<string, string>> = {
  'data-race': 'data races',
  atomicity: 'atomicity violations',
  'order-violation': 'order violations',
  deadlock: 'deadlocks',
  property: 'properties',
  typestate: 'typestates',
}

function oneThread(threads: SavedRow | undefined): string {
  const started = threads ? fact(threads, 'started') : 0
  const nothing = 'so there is no other order to try.'
  if (!threads || started === 0) return `the program has one thread, ${nothing}`
  const [were, they] = started === 1 ? ['1 thread was', 'it'] : [`${number(started)} threads were`, 'they']
  if (fact(threads, 'joined') > 0) return `${were} started, and ${they} did nothing that another thread sees, ${nothing}`
  return `${were} started, and the program ended before ${they} did anything, ${nothing}`
}

/** `Branches: 41 decisions, 12 of them on values that other tasks may write, at 7 places: …` */
function branchesText(row: SavedRow): string {
  const more = [
    fact(row, 'cutOff') > 0 ? `${counted(fact(row, 'cutOff'), 'question')} cut off` : '',
    fact(row, 'mistrusted') > 0 ? `${counted(fact(row, 'mistrusted'), 'condition')} not understood` : '',
  ].filter((part) => part !== '')
  const flips = [
    [sumOf(row.feasible), 'that an order flips'],
    [row.unknown['only a replay can tell'] ?? 0, 'that an order may flip'],
    [sumOf(row.infeasible), 'that no order tried flips'],
    [sumOf(row.unknown) - (row.unknown['only a replay can tell'] ?? 0), 'undecided'],
    [sumOf(row.notLookedAt), 'not looked at'],
  ] as const
  const settled = flips.filter(([n]) => n > 0).map(([n, words]) => `${number(n)} ${words}`)
  return `Branches: ${counted(fact(row, 'branches'), 'decision')}, ${number(fact(row, 'conditions'))} of them on values that other tasks may write, at ${counted(row.candidates, 'site')}${
    settled.length === 0 ? '' : `: ${settled.join(', ')}`
  }${more.length === 0 ? '' : ` (${more.join(', ')})`}.`
}

const fact = ({ facts }: SavedRow, name: string): number => facts[name] ?? 0
const number = (n: number): string => n.toLocaleString('en')
const counted = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`
const locks = (n: number): string => (n === 0 ? '' : ` (${n} of them ${n === 1 ? 'a lock' : 'locks'})`)

/** ` (3 skipped: 2 larger than 1 MB, 1 excluded; 61 % of the code)` */
function left({ skipped, skippedPercent }: Looked['recorded']): string {
  if (skipped.length === 0) return ''
  const why = new Map<string, number>()
  for (const one of skipped) {
    const reason = one.why.split(':')[0]!
    why.set(reason, (why.get(reason) ?? 0) + 1)
  }
  const parts = [...why].slice(0, 3).map(([reason, n]) => `${number(n)} ${reason}`)
  const share = skippedPercent === undefined ? '' : `; ${skippedPercent || 'less than 1'} % of the code`
  return ` (${number(skipped.length)} skipped: ${parts.join(', ')}${share})`
}
