/**
 * What goes wrong, in one sentence: who does what to which named resource, and which order breaks it. "Two calls of buy() both pass the check of
 * left.json: the second reads it (tickets.js:10) before the first writes it (tickets.js:12)." Every format has this sentence. Also part of the HTML
 * report, so it uses nothing of Node.
 */
import type { BranchNote, OrderRow } from '../schedule/order.ts'
import { placed } from '../trace/site.ts'
import { shortText } from './location-text.ts'
import { numberWord, peopleOf, type People } from './people.ts'
import { namesIn, type Line, type Names } from './resource-name.ts'
import { storySteps, swapOf, type Orders } from './story.ts'
import { doing } from './verbs.ts'

export interface Told extends Orders {
  readonly kind: string
  readonly pattern: string
  readonly summary: string
  readonly locations: readonly string[]
  readonly branch?: Pick<BranchNote, 'kind' | 'site'> | undefined
}

/** The two steps that change places, and how they are named. */
interface Swap {
  readonly early: OrderRow
  readonly late: OrderRow
  /** The step of the late one's chain that still comes before the early one. */
  readonly before: OrderRow | undefined
  readonly people: People
  readonly what: string
  readonly names: Names
}

export function sentenceOf(finding: Told, line: Line = () => ''): string {
  const names = namesIn(finding, line)
  const said = capital(shortText(finding.summary, finding.locations, names))
  const pair = swapOf(storySteps(finding))
  if (finding.pattern === 'deadlock') return circleOf(finding, names) ?? said
  if (!pair) return said
  const [early, late] = pair.map(({ row }) => row) as [OrderRow, OrderRow]
  if (!early.accesses[0] || !late.accesses[0] || finding.summary.endsWith('was not isolated.')) return said
  const people = peopleOf(finding.observed.filter(({ chain }) => chain === early.chain || chain === late.chain))
  const at = finding.failing.findIndex((row) => row === early)
  const before = finding.failing.slice(0, at).findLast((row) => row.chain === late.chain && about(row) === about(late))
  const what = names(about(isInside(about(late), about(early)) ? early : late))
  const swap: Swap = { early, late, before, people, names, what }
  if (finding.pattern === 'message order') return messagesOf(finding, swap)
  if (finding.branch) return `${branchText(finding.branch)}: ${orderText(swap, line, names(about(early)))}.`
  const head = Object.hasOwn(HEADS, finding.pattern) ? HEADS[finding.pattern]!(swap) : undefined
  if (finding.pattern === 'data race') return `${capital(head!)}: ${atOnceText(swap)}, and nothing orders them.`
  if (head !== undefined)
    return `${capital(head)}: ${head.startsWith(`${people.one(early)} `) ? ownText(swap, line) : orderText(swap, line)}.`
  if (isCheckThenAct(finding)) return `${capital(HEADS['check-then-act']!(swap))}: ${orderText(swap, line)}.`
  if (finding.kind === 'property' || finding.kind === 'typestate')
    return `${said.replace(/\.$/, '')}: ${orderText(swap, line, names(about(early)))}.`
  return said
}

const about = (row: OrderRow): string => row.accesses[0]?.location ?? ''

/** Properties of the library for paths, ports, keys and elements. */
const isCheckThenAct = ({ kind, pattern }: Told): boolean => kind === 'property' && pattern.endsWith('CheckThenAct')

const READS = new Set(['reads', 'loads'])
const reads = (row: OrderRow): boolean => READS.has(verbOf(row))
const verbOf = ({ accesses: [first] }: OrderRow): string => (first ? doing(first.access, first.verb) : 'runs')

/** What goes wrong, by the name of the pattern. */
const HEADS: Readonly<Record<string, (swap: Swap) => string>> = {
  'lost update': ({ people, what }) => `${people.both} change ${what}, and one change is lost`,
  'check-then-act': ({ early, late, people, what }) =>
    reads(early)
      ? `${people.both} both pass the check of ${what}`
      : `${people.one(late)} relies on a check of ${what} that no longer holds`,
  'double submit': ({ people, what }) => `${people.both} both create ${what}`,
  stampede: ({ people, what }) => `${people.both} both find ${what} missing and create it`,
  'dirty iteration': ({ late, people, what }) => `${what} changes while ${people.one(late)} iterates over it`,
  'read-your-writes': ({ early, people, what }) => `${people.one(early)} reads ${what} before its own write is visible`,
  'stale read': ({ early, late, before, people, what }) =>
    before && reads(before) && reads(late)
      ? `${people.one(late)} reads ${what} twice, and it changes in between`
      : reads(early)
        ? `${people.one(early)} sees an old value of ${what}`
        : `${people.one(late)} sees another value of ${what}`,
  'dirty read': ({ early, late, people, what }) => {
    const reader = [early, late].find(reads)
    return reader
      ? `${people.one(reader)} reads ${what} while it is half written`
      : `${people.one(early)} changes ${what} while it is half written`
  },
  overwritten: ({ late, people, what }) => `${people.one(late)} does not read back what it wrote to ${what}`,
  'use before initialisation': ({ early, people, what }) => `${people.one(early)} uses ${what} before it is set`,
  'use after teardown': ({ late, people, what }) => `${people.one(late)} uses ${what} after it was torn down`,
  'write order': ({ late, people, what }) => `${what} keeps what ${people.one(late)} writes`,
  'read order': ({ late, people, what }) => `${people.one(late)} sees ${what} already changed`,
  'data race': ({ people, what }) => `${people.both} access ${what} at the same time`,
  'lost wake-up': ({ early, late, people, names }) => `${people.one(late)} waits for ${names(about(early))} for ever`,
  'use after free': ({ late, people, what }) => `${people.one(late)} uses ${what} after it was freed`,
  'double free': ({ what }) => `${what} is freed twice`,
  'use of a closed descriptor': ({ late, people, what }) => `${people.one(late)} uses ${what} after it was closed`,
  'use of a closed stream': ({ late, people, what }) => `${people.one(late)} uses ${what} after it was closed`,
  'double close': ({ what }) => `${what} is closed twice`,
  'use of a destroyed lock': ({ late, people, what }) => `${people.one(late)} uses the lock ${what} after it was destroyed`,
  'destroy of a held lock': ({ early, late, people, what }) =>
    `${people.one(early)} destroys the lock ${what} while ${people.one(late)} holds it`,
}

/** `the second SELECT (a.js:3) runs before the first UPDATE (a.js:5)`; `thread 2 writes it (f.c:9) between two reads of thread 1 (f.c:4 and f.c:5)`. */
function orderText(swap: Swap, line: Line, named?: string): string {
  const { early, late, before, people } = swap
  const step = (row: OrderRow, what: string): string => {
    const statement = statementOf(row, line)
    const at = placed(row.accesses[0]!.site)
    return statement === '' ? `${people.one(row)} ${verbOf(row)} ${what}${at}` : `${people.one(row)}${statement}${at} runs`
  }
  const first = step(
    early,
    named ?? (about(early) === about(late) || isInside(about(late), about(early)) ? 'it' : swap.names(about(early))),
  )
  if (before && !reads(early)) {
    const [one, two] = [before, late].map((row) => ({ noun: NOUNS[verbOf(row)] ?? 'step', at: place(row) }))
    const where = one!.at === two!.at ? ` (${one!.at})` : ''
    const [from, to] = where === '' ? [` (${one!.at})`, ` (${two!.at})`] : ['', '']
    return one!.noun === two!.noun
      ? `${first} between two ${one!.noun}s of ${people.one(late)}${where === '' ? ` (${one!.at}, ${two!.at})` : where}`
      : `${first} between the ${one!.noun}${from} and the ${two!.noun}${to}${where} of ${people.one(late)}`
  }
  const isAlike = verbOf(early) === verbOf(late) && statementOf(late, line) === ''
  const isOne = about(early) === about(late) || isInside(about(early), about(late)) || isInside(about(late), about(early))
  const second =
    isAlike && isOne
      ? `${people.one(late)} does${placed(late.accesses[0]!.site)}`
      : step(late, isAlike ? swap.names(about(late)) : 'it').replace(/ runs$/, '')
  return `${first} before ${second}`
}

/** `thread 2 reads it (f.c:9) while thread 1 writes it (f.c:5)` */
function atOnceText({ early, late, people }: Swap): string {
  const step = (row: OrderRow): string => `${people.one(row)} ${verbOf(row)} it${placed(row.accesses[0]!.site)}`
  return `${step(early)} while ${step(late)}`
}

/** Where the sentence begins with the early one: `its read (f.c:9) comes before the write of thread 1 (f.c:5)`. */
function ownText(swap: Swap, line: Line): string {
  const { early, late, before, people } = swap
  const [own, other] = [early, late].map((row) => statementOf(row, line).trim() || NOUNS[verbOf(row)])
  if (own === undefined || other === undefined || (before && !reads(early))) return orderText(swap, line)
  return `its ${own}${placed(early.accesses[0]!.site)} comes before the ${other} of ${people.one(late)}${placed(late.accesses[0]!.site)}`
}

const place = (row: OrderRow): string => placed(row.accesses[0]?.site ?? '').replace(/^ (?:at )?\(?|\)$/g, '')

const NOUNS: Readonly<Record<string, string>> = { reads: 'read', loads: 'load', writes: 'write', stores: 'store', updates: 'update' }

/** Bytes of a block are the block. */
const isInside = (part: string, whole: string): boolean => part.startsWith(`${whole}+`)

/** ` SELECT`: the statement on the line, in capitals as people write them. */
function statementOf({ accesses: [first], ...row }: OrderRow, line: Line): string {
  const site = first?.site ?? ''
  const [, file, number] = /^(.*?):(\d+)/s.exec(site) ?? []
  if (file === undefined || row.turn.label === row.chain) return ''
  const [, statement] =
    /['"`]\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|REPLACE)\s/.exec(line({ file, line: Number(number), column: 0, name: '' })) ?? []
  return statement === undefined ? '' : ` ${statement}`
}

/** `The if in list() (columns.mjs:10) goes the other way` */
function branchText({ kind, site }: Pick<BranchNote, 'kind' | 'site'>): string {
  const what = kind === 'if' || kind === 'loop' ? `The \`${kind === 'loop' ? 'while' : kind}\`` : `The ${kind}`
  return `${kind === 'loop' ? 'The loop' : what}${placed(site)} goes the other way`
}

/** `Three threads wait for each other: thread 1 holds a and waits for b, …` */
function circleOf({ failing }: Told, names: Names): string | undefined {
  const chains = [...new Set(failing.map(({ chain }) => chain))]
  const waits = chains.map((chain) => {
    const own = failing.filter((row) => row.chain === chain)
    return { who: own[0]!.name, wants: own.at(-1)!, holds: own.slice(0, -1) }
  })
  if (waits.length < 2 || waits.some(({ holds, wants }) => holds.length === 0 || about(wants) === '')) return undefined
  const sites = waits.map(({ wants }) => placed(wants.accesses[0]!.site))
  const isOneSite = sites.every((site) => site === sites[0])
  const said = waits.slice(0, MOST_WAITS).map(({ who, wants, holds }, i) => {
    const held = [...new Set(holds.map((row) => names(about(row))))].join(' and ')
    return `${who} holds ${held} and waits for ${names(about(wants))}${isOneSite ? '' : sites[i]}`
  })
  const more = waits.length > MOST_WAITS ? `, and ${waits.length - MOST_WAITS} more` : ''
  return `${numberWord(waits.length)} ${kindOf(waits.map(({ who }) => who))}s wait for each other${isOneSite ? sites[0] : ''}: ${said.join(', ')}${more}.`
}
const MOST_WAITS = 4

/** `worker` where all have that name and a number. */
function kindOf(names: readonly string[]): string {
  const kinds = new Set(names.map((name) => name.replace(/ \d+$/, '')))
  const [kind] = kinds
  return kinds.size === 1 && kind !== undefined && /^[a-z]+$/.test(kind) ? kind : 'thread'
}

/** `main gets the message of worker 1 (a.js:20) before that of worker 2 (a.js:20).` */
function messagesOf({ failing }: Told, { early, late }: Swap): string {
  const first = failing.find((row) => row.chain !== early.chain && row.chain !== late.chain) ?? failing[0]!
  const at = (row: OrderRow): string => `${row.name}${placed(row.accesses[0]?.site ?? '')}`
  return `${capital(early.name)} gets the message of ${at(first)} before that of ${at(late)}.`
}

/** Names of the program stay as they are. */
const capital = (text: string): string =>
  text.replace(/^(?:the|thread|worker|memory) /, (word) => word.charAt(0).toUpperCase() + word.slice(1))
