/** Kinds of findings as rules, for formats that list them: a stable name, a sentence on what goes wrong and one on how to fix it. */
import type { FindingDocument } from './document.ts'
import { nameOf } from './finding-words.ts'

export interface Rule {
  readonly id: string
  /** Without spaces, as tools like it. */
  readonly name: string
  readonly short: string
  readonly full: string
  readonly remedy: string
  /** Of a property or typestate: its text. */
  readonly declaration?: string
}

const KINDS: Readonly<Record<string, readonly [short: string, remedy: string]>> = {
  atomicity: [
    'Steps that belong together can be interrupted',
    'Do them in one turn without an await between, under one lock, or check again after the await.',
  ],
  'order-violation': [
    'Two steps can come in the other order',
    'Make the later one wait for the earlier one: await it, or send a message when it is done.',
  ],
  'data-race': [
    'Two threads can access the same memory at once',
    'Use Atomics on both sides, hold one lock around both, or pass the data in a message.',
  ],
  deadlock: [
    'Threads can wait for each other for ever',
    'Take locks in one order everywhere, and check the condition again before every wait.',
  ],
  property: ['A property can be violated', 'Read the property: it says which order must not happen. Order its events, or keep them apart.'],
  typestate: [
    'An object can be used in a state that does not permit it',
    'Wait until the object is in the right state, or close it only when the last user is done.',
  ],
  flaky: ['The program sometimes fails without any delay', 'Look at the first difference between a run that passes and one that fails.'],
  recorded: ['The recorded run itself failed', 'Look at the failure: no other order is needed to see it.'],
  'not isolated': [
    'The program fails when something is late',
    'Look at what was late, and at what relies on it: which conflict makes it fail is not known.',
  ],
  branch: [
    'A branch can go the other way under another schedule',
    'Decide on a value that no other task changes in the meantime, or order the write before the branch.',
  ],
}

const PATTERNS: Readonly<Record<string, string>> = {
  'check-then-act': 'What was checked can change before the act that relies on the check.',
  'double submit': 'Two equal requests can both find something missing, and both create it.',
  stampede: 'Several requests can find something missing at the same time, and each of them creates it.',
  'dirty iteration': 'A collection can change while it is iterated, so that an element is skipped or visited twice.',
  'read-your-writes': 'A task can read a value before its own write is visible.',
  'lost update': 'A value can be changed between the read and the write that relies on it, so that one change is lost.',
  'stale read': 'A value can be read that is out of date: it changes between reads that belong together, or is read before it is written.',
  'dirty read': 'A value can be read while it is half changed.',
  overwritten: 'A value can be overwritten by another task before it is read back.',
  'use before initialisation': 'Something can be used before it is set.',
  'use after teardown': 'Something can be used during or after its teardown.',
  'write order': 'Two writes can come in the other order, so that the other value remains.',
  'read order': 'A value can be changed before it is read.',
  expiry: 'Time can pass between two readings of the clock: what was fresh at the first has expired at the second.',
  'data race': 'Two threads can access the same memory at once, and one of them writes.',
  'time-out': 'A wait can time out before it is notified.',
  'try succeeds': 'An attempt to take a lock or a semaphore that failed can succeed.',
  'try fails': 'An attempt to take a lock or a semaphore that succeeded can fail, because another thread holds it.',
  'woken in time': 'A wait that timed out can be ended by a notify.',
  'message order': 'Messages or ends of threads can arrive in another order.',
  'wake-up order': 'A different thread than in the recorded run can be woken.',
  deadlock: 'Threads can wait for locks that the others hold: none of them can continue.',
  'lost wake-up': 'A thread can begin to wait when the last notify has already come: it waits for ever.',
  'use after free': 'Memory can be used after another thread has freed it.',
  'double free': 'Memory can be freed twice.',
  'use of a closed descriptor': 'A descriptor can be used after another thread has closed it: by then it may be another file.',
  'use of a closed stream': 'A stream can be used after another thread has closed it.',
  'double close': 'Something can be closed twice: by then it may be another file.',
  'use of a destroyed lock': 'A lock can be used after another thread has destroyed it.',
  'destroy of a held lock': 'A lock can be destroyed while another thread holds it.',
  'schedule-sensitive branch': 'A branch decides on a value that another schedule changes.',
}

type Named = Pick<FindingDocument, 'kind' | 'pattern' | 'property'> & { readonly label?: string }

/** Patterns of properties are their names; the others are few words. */
export function ruleOf(finding: Named): Rule {
  const { kind, property } = finding
  const pattern = finding.pattern === '' ? '' : nameOf(finding)
  const [short, remedy] = (Object.hasOwn(KINDS, kind) && KINDS[kind]) || ['Another order can fail', 'Enforce the order of the two steps.']
  const named = kind === 'property' || kind === 'typestate'
  const says = Object.hasOwn(PATTERNS, pattern)
    ? PATTERNS[pattern]!
    : named && pattern !== ''
      ? `${kind === 'property' ? 'Property' : 'Typestate'} ${pattern}.`
      : ''
  return {
    id: `heddle/${slug(kind)}${pattern === '' ? '' : `/${named ? pattern.replaceAll(/[^\w.-]+/g, '-') : slug(pattern)}`}`,
    name: camel(`${named ? '' : `${kind} `}${pattern || kind}`),
    short: named && pattern !== '' ? `${short}: ${pattern}` : pattern === '' ? short : `${short}: ${pattern}`,
    full: `${says === '' ? `${short}.` : says} Heddle predicts it from one run that passed, and runs the program again in that order to see whether it fails.`,
    remedy,
    ...(property?.text ? { declaration: property.text } : {}),
  }
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
const camel = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')
