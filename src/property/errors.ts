/** Every error of a property file, one function each: a code, the position, the fact, and the remedy. */
import { didYouMean } from '../base/closest.ts'
import { HeddleError, quote } from '../errors.ts'
import type { Position } from './ast.ts'
import type { Fault } from './faults.ts'

type At = Position | undefined

const fault =
  (code: string) =>
  (at: At, fact: string, remedy: string): Fault => ({ code: `property-${code}`, at, fact, remedy })

const MOST_LISTED = 20

/** The first of them: there may be thousands, for each of thousands of faults. */
function list(words: Iterable<string>): string {
  const some: string[] = []
  for (const word of words) {
    if (some.length === MOST_LISTED) return `${some.join(', ')}, …`
    some.push(word)
  }
  return some.join(', ')
}

// Files

export const fileNotFound = (path: string): HeddleError =>
  new HeddleError('property-file-not-found', `There is no property file ${quote(path)}`, 'Check the path')

export const fileUnreadable = (path: string, why: string): HeddleError =>
  new HeddleError('property-file-unreadable', `Property file ${quote(path)} cannot be read: ${why}`, 'Check what it is and its permissions')

export const fileUnwritable = (path: string, why: string): HeddleError =>
  new HeddleError('property-file-unwritable', `Property file ${quote(path)} cannot be written: ${why}`, 'Check its permissions')

export const fileTooLarge = (path: string, most: number): HeddleError =>
  new HeddleError('property-file-too-large', `${quote(path)} is larger than ${most} bytes`, 'Give a property file; they are short')

// Reading text

export const expected = (at: At, what: string, found: string, page = 'docs/property-language.md'): Fault =>
  fault('syntax')(at, `Expected ${what}, found ${found}`, `${page} has the grammar`)

export const unknownWord = (at: At, what: string, word: string, near: string | undefined, known: Iterable<string>): Fault =>
  fault('unknown-word')(at, `${quote(word)} is no ${what}`, didYouMean(near, `Known: ${list(known)}`))

export const reservedName = (at: At, word: string): Fault =>
  fault('reserved-name')(at, `${quote(word)} is a word of the language, not a name`, 'Choose another name')

export const missingColon = (at: At, word: string): Fault => fault('missing-colon')(at, `There is no colon after ${word}`, `Write ${word}:`)

export const missingBrace = (at: At, what: string, line: number): Fault =>
  fault('missing-brace')(at, `${what}, begun in line ${line}, is not closed`, 'Put a } at its end')

export const missingMoment = (at: At, event: string): Fault =>
  fault('missing-moment')(at, `Event ${event} does not say when`, 'Write before, after or answered in front of what happens')

export const notClosed = (at: At, what: string, close: string): Fault =>
  fault('not-closed')(at, `This ${what} is not closed`, `Put a ${close} at its end`)

export const singleQuotes = (at: At): Fault => fault('single-quotes')(at, 'Text stands in double quotes', 'Write "…"')

export const badText = (at: At): Fault =>
  fault('bad-text')(at, 'Unknown escape sequence', 'Write \\n, \\t, \\", \\\\ or \\u and four hexadecimal digits')

export const badNumber = (at: At, text: string): Fault =>
  fault('bad-number')(at, `${quote(text)} is too large for a number`, 'Write a number below 1.7e308')

export const clauseTwice = (at: At, clause: string, line: number): Fault =>
  fault('clause-twice')(at, `${clause} was said already, in line ${line}`, 'Keep one of them')

export const operandTwice = (at: At, operand: string): Fault =>
  fault('operand-twice')(at, `${operand} stands twice in this event`, 'Keep one of them')

export const patternInTypestate = (at: At, clause: string): Fault =>
  fault('pattern-in-typestate')(at, `A typestate has states, and no ${clause}`, 'Write STATE: operation -> STATE, or make it a property')

export const moreNotLast = (at: At): Fault =>
  fault('more-not-last')(at, '`..` is not the last argument', 'Write * for one argument of any value')

export const groupAsAttribute = (at: At, event: string): Fault =>
  fault('group-as-attribute')(
    at,
    `What stands directly after ${event} in parentheses is a task, or a region with < or >`,
    `Put a blank before a group: ${event} ( … )`,
  )

export const secondParallel = (at: At): Fault =>
  fault('second-parallel')(at, 'There is a second ||', 'Only two can be at once; alternatives need parentheses: (a || b) | (c || d)')

export const conditionNeedsComparison = (at: At, known: Iterable<string>): Fault =>
  fault('no-comparison')(at, 'A condition compares two things', `Put one of these between them: ${list(known)}`)

export const emptyGlob = (at: At): Fault => fault('empty-name')(at, 'This name is empty', 'Write * for any name')

export const onlyExcept = (at: At): Fault =>
  fault('only-except')(at, 'Only calls that are not meant are named', 'Name those that are, too: call(*.add* | !*.addAll)')

export const parenthesesInNames = (at: At, what: string): Fault =>
  fault('parentheses-in-names')(
    at,
    `${what}(…) holds names only, with | between them`,
    'Leave out types and arguments; put a name that has a blank or parentheses in double quotes',
  )

export const badCallName = (at: At, text: string, what: string): Fault =>
  fault('bad-call-name')(
    at,
    `${quote(text)} is no name for ${what}`,
    what === 'emit'
      ? 'Write Class.event or *.event'
      : 'Write Class.method, Class+.method for classes that extend it, module.function, or function',
  )

// Events as seed 003 prints them

export const conditionNotRead = (at: At): Fault =>
  fault('condition-not-read')(
    at,
    'This part of if(…) says nothing about recorded values',
    'Compare names and values: == != < <= > >=, a.contains(b), a.startsWith(b), a.endsWith(b), a.equals(b), with && || !',
  )

export const badSignature = (at: At, text: string): Fault =>
  fault('bad-signature')(
    at,
    `${quote(text)} is no name of a method or field`,
    'Write Class.name, Class+.name for what is below it, or name',
  )

export const packageOnly = (at: At, text: string): Fault =>
  fault('package-only')(
    at,
    `${quote(text)} asks for a package, and a trace has names of classes without it`,
    'Name the class, with * in its name if need be',
  )

export const negatedPointcut = (at: At, what: string): Fault =>
  fault('negated-pointcut')(at, `! stands before ${what}`, 'An event says what it is. Only !if(…), and !call(…) beside a call, are read')

export const negatedArguments = (at: At): Fault =>
  fault('negated-arguments')(at, 'A call that is left out has arguments in its signature', 'Write (..) there: it is left out by its name')

export const subclassesNotKnown = (at: At, what: string): Fault =>
  fault('subclasses-not-known')(
    at,
    `${what} has a +, and only a call is recorded with the classes above that of its object`,
    'Name the class itself, or write * for any',
  )

export const noSource = (at: At, event: string): Fault =>
  fault('no-source')(at, `Event ${event} does not say what happens`, 'Add call(…), execution(…), get(…) or set(…)')

export const secondSource = (at: At): Fault =>
  fault('second-source')(at, 'An event is one thing: a call, an execution, a get or a set', 'Put || between the two, or make two events')

export const alternativesDiffer = (at: At, event: string): Fault =>
  fault('alternatives-differ')(
    at,
    `The alternatives of event ${event} differ in more than names`,
    'Make an event of each, and put (a | b) into the pattern',
  )

export const tooManyAlternatives = (at: At, most: number): Fault =>
  fault('too-many-alternatives')(at, `This is more than ${most} alternatives`, 'Use * in names, or several events')

export const argumentsDiffer = (at: At): Fault =>
  fault('arguments-differ')(
    at,
    'args(…) and the signature have different numbers of arguments',
    'Make them agree; .. at the end stands for any',
  )

export const adviceBody = (at: At): Fault =>
  fault('advice-body')(at, 'An event has no code', 'Leave out what stands in the braces, and use if(…) for a condition')

export const handlerNotRead = (at: At): Fault =>
  fault('handler')(at, 'A property has no handlers', 'Leave out @… and its code: a violation is reported')

export const otherLogic = (at: At, word: string): Fault =>
  fault('other-logic')(
    at,
    `${word}: has another meaning than pattern:, in which other events may stand between`,
    'Write pattern: and what must never happen',
  )

// Limits

export const tooLarge = (source: string, most: number): Fault =>
  fault('too-large')(undefined, `The text is larger than ${most} bytes`, `Property files are short; is ${quote(source)} one?`)

export const tooDeep = (at: At, most: number): Fault => fault('too-deep')(at, `This is nested more than ${most} deep`, 'Make it flatter')

export const tooManyEvents = (at: At, most: number): Fault =>
  fault('too-many-events')(at, `More than ${most} events in one declaration`, 'Use * in names, or several declarations')

export const tooManyParts = (at: At, most: number): Fault =>
  fault('too-many-parts')(at, `A pattern of more than ${most} parts`, 'Use several properties')

// Meaning

export const nameTwice = (at: At, what: string, name: string, line: number | undefined): Fault =>
  fault('name-twice')(
    at,
    `There are two ${what} named ${quote(name)}${line === undefined ? '' : `; the first is in line ${line}`}`,
    'Rename one of them',
  )

export const badName = (what: string, name: string): Fault =>
  fault('bad-name')(undefined, `${quote(name)} cannot be the name of ${what}`, 'Use letters, digits, _ and $, and no word of the language')

export const noPattern = (at: At, name: string): Fault =>
  fault('no-pattern')(at, `Property ${name} has no pattern`, 'Add pattern: and what must never happen')

export const noStates = (at: At, name: string): Fault =>
  fault('no-states')(at, `Typestate ${name} has no states`, 'Add STATE: operation -> STATE')

export const noParameters = (at: At, name: string): Fault =>
  fault('no-parameters')(at, `Typestate ${name} has no parameter`, 'Name the object that has the states in the parentheses')

export const unknownEvent = (at: At, name: string, near: string | undefined, known: Iterable<string>): Fault =>
  fault('unknown-event')(
    at,
    `There is no event ${quote(name)}`,
    didYouMean(near, known[Symbol.iterator]().next().done ? 'Add an event line for it' : `Events here: ${list(known)}`),
  )

export const taskApart = (at: At, event: string, task: string): Fault =>
  fault('task-apart')(at, `There is no event ${quote(task)}`, `A task stands directly after its event: ${event}(${task})`)

export const clauseAsEvent = (at: At, word: string): Fault =>
  fault('missing-colon')(at, `There is no event ${quote(word)}`, `If a new line begins here, write ${word}:`)

export const unknownState = (at: At, name: string, near: string | undefined, known: Iterable<string>): Fault =>
  fault('unknown-state')(
    at,
    `There is no state ${quote(name)}`,
    didYouMean(near, `Add a line for it; a state in which nothing is permitted is \`${name}:\` alone. States here: ${list(known)}`),
  )

export const operationTwice = (at: At, operation: string, state: string): Fault =>
  fault('operation-twice')(at, `${quote(operation)} stands twice in state ${state}`, 'An operation leads to one state')

export const operationMisspelt = (at: At, operation: string, near: string): Fault =>
  fault('operation-misspelt')(at, `${quote(operation)} has no event line, and no state names event ${quote(near)}`, `Did you mean ${near}?`)

export const operationNeedsEvent = (at: At, operation: string): Fault =>
  fault('operation-needs-event')(
    at,
    `${quote(operation)} has no event line, and with several parameters it needs one`,
    `Add event ${operation} … that binds them all`,
  )

export const bindsNotAll = (at: At, event: string, missing: readonly string[]): Fault =>
  fault('binds-not-all')(
    at,
    `Event ${event} does not bind ${list(missing)}`,
    `In a typestate every event binds all parameters: add target(${missing[0]}), args(${missing[0]}, ..) or returns(${missing[0]})`,
  )

export const neverBound = (at: At, parameter: string): Fault =>
  fault('never-bound')(
    at,
    `No event of the pattern binds parameter ${quote(parameter)}`,
    `Bind it with target(${parameter}), args(${parameter}, ..), returns(${parameter}), value(${parameter}) or location(${parameter}), or take it out`,
  )

export const unknownName = (at: At, name: string, near: string | undefined): Fault =>
  fault('unknown-name')(
    at,
    `${quote(name)} is neither a parameter nor bound by this event`,
    didYouMean(near, `Bind it, as in args(${name}, ..), or name a parameter`),
  )

export const unusedLocal = (at: At, name: string, near: string | undefined): Fault =>
  fault('unused-name')(
    at,
    `${quote(name)} is no parameter, and no condition uses it`,
    near === undefined ? 'Write * for any value, or make it a parameter' : `Did you mean ${near}? Write * for any value`,
  )

export const unknownInSays = (at: At, name: string, near: string | undefined): Fault =>
  fault('unknown-in-says')(
    at,
    `says names {${name}}, which is no parameter`,
    didYouMean(near && `{${near}}`, 'Name a parameter in the braces'),
  )

export const operandNotHere = (at: At, operand: string, event: string, why: string, remedy: string): Fault =>
  fault('operand-not-here')(at, `${operand} does not fit event ${event}: ${why}`, remedy)

export const answeredNeedsCall = (at: At, event: string): Fault =>
  fault('answered-needs-call')(at, `Only calls have answers, and event ${event} is not a call`, 'Write before or after')

export const parallelNotLast = (at: At): Fault =>
  fault('parallel-not-last')(at, '|| is not at the end of the pattern', 'Nothing may follow it but ends of regions')

export const parallelOfMore = (at: At): Fault =>
  fault('parallel-of-more')(at, '|| stands between two events, or choices of events', 'Put the two in parentheses: a (b || c)')

export const notOverRepeat = (at: At, what: string): Fault =>
  fault('not-over-repeat')(
    at,
    `! stands over ${what}`,
    'What is forbidden is an event, a choice of events, or a sequence without *, + and !',
  )

export const nothingNeeded = (at: At): Fault =>
  fault('nothing-needed')(at, 'This pattern is there when nothing happens at all', 'Name at least one event that must happen')

export const regionNotEnded = (at: At, region: string): Fault =>
  fault('region-not-ended')(at, `Region ${quote(region)} is begun and not ended`, `Put >${region} at an event after it`)

export const regionNotBegun = (at: At, region: string): Fault =>
  fault('region-not-begun')(at, `Region ${quote(region)} is ended and not begun before`, `Put <${region} at an event before it`)

export const regionTwice = (at: At, region: string): Fault =>
  fault('region-twice')(at, `Region ${quote(region)} is begun or ended twice`, 'Give the second one another name')

export const regionOfTwoTasks = (at: At, region: string): Fault =>
  fault('region-of-two-tasks')(at, `Region ${quote(region)} begins and ends in different tasks`, 'Give both the same task')

export const unwritable = (what: string): Fault =>
  fault('unwritable')(undefined, `${what} cannot be written in the language`, 'Use what docs/property-language.md names')

export const commentInside = (at: At): Fault =>
  fault('comment-inside')(at, 'Formatting would lose this comment', 'Put it on a line of its own above, or at the end of the line')
