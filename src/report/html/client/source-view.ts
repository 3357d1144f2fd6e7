/** Excerpts of the program with the events at their lines: which task does what there, and its position in the recorded and in the failing order. */
import type { CheckDocument, FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { h, plural } from './element.ts'
import { badge, follow, linked, tag } from './event-view.ts'
import type { Focus } from './focus.ts'
import { ordinal } from '../../story.ts'
import { placeOf, type SitePlace } from '../../../trace/site.ts'
import { eventText, type RunModel, type Which } from './run-model.ts'

const AROUND = 2
const MOST_NOTES = 6
const MOST_FILES = 12

/** A flipped event, with its place among them in each order. */
interface Note {
  readonly which: Which
  readonly event: number
  readonly recorded: number | undefined
  readonly failing: number | undefined
}

export function sourceView(finding: FindingDocument, sources: CheckDocument['sources'], focus: Focus | undefined): HTMLElement {
  const notes = focus ? notesByLine(focus) : new Map<string, Note[]>()
  const wanted = new Map<string, Set<number>>()
  const columns = new Map<string, number>()
  const add = (site: string): void => {
    const place = placeOf(site)
    if (!place) return
    if (!wanted.has(place.file)) wanted.set(place.file, new Set())
    wanted.get(place.file)!.add(place.line)
    const key = `${place.file}:${place.line}`
    if (place.column > 0 && !columns.has(key)) columns.set(key, place.column)
  }
  for (const list of notes.values()) for (const { which, event } of list) add(focus!.runs[which].site(event))
  for (const site of finding.sites) add(site)
  const files = [...wanted].slice(0, MOST_FILES).map(([file, lines]) => fileView(file, lines, sources, notes, columns, focus))
  const element = h('div', { class: 'sources' }, ...files)
  if (focus) follow(element, focus)
  return element
}

function notesByLine(focus: Focus): Map<string, Note[]> {
  const { observed, failing } = focus.runs
  const all: Note[] = observed.flipped.map((event) => {
    const there = failing.flipped.includes(observed.same(event))
    return {
      which: 'observed',
      event,
      recorded: placeIn(observed, event),
      failing: there ? placeIn(failing, observed.same(event)) : undefined,
    }
  })
  for (const event of failing.flipped)
    if (!observed.flipped.includes(failing.same(event)))
      all.push({ which: 'failing', event, recorded: undefined, failing: placeIn(failing, event) })
  const byLine = new Map<string, Note[]>()
  for (const note of all) {
    const place = placeOf(focus.runs[note.which].site(note.event))
    if (!place) continue
    const key = `${place.file}:${place.line}`
    byLine.set(key, [...(byLine.get(key) ?? []), note])
  }
  return byLine
}

/** Among the numbers in the order of the run, from 1. Events of one step have one number. */
const placeIn = (run: RunModel, event: number): number => [...new Set(run.flipped.map(run.number))].indexOf(run.number(event)) + 1

function fileView(
  file: string,
  lines: ReadonlySet<number>,
  sources: CheckDocument['sources'],
  notes: ReadonlyMap<string, readonly Note[]>,
  columns: ReadonlyMap<string, number>,
  focus: Focus | undefined,
): HTMLElement {
  const textOf = (line: number): string | undefined => lineOf(sources, { file, line })
  const near = new Set<number>()
  for (const line of lines) for (let l = line - AROUND; l <= line + AROUND; l++) if (l === line || textOf(l) !== undefined) near.add(l)
  const rows: HTMLElement[] = []
  let last: number | undefined
  for (const line of [...near].sort((a, b) => a - b)) {
    if (last !== undefined && line > last + 1) rows.push(h('div', { class: 'skip', 'aria-hidden': 'true' }, '⋮'))
    last = line
    const marked = lines.has(line)
    const here = notes.get(`${file}:${line}`) ?? []
    rows.push(
      h(
        'div',
        { class: `line${marked ? ' marked' : ''}${here.length > 0 ? ' noted' : ''}`, 'data-line': line },
        h('span', { class: 'line-number' }, line),
        codeOf(textOf(line), marked ? columns.get(`${file}:${line}`) : undefined),
      ),
    )
    rows.push(...here.slice(0, MOST_NOTES).map((note) => noteView(note, focus!)))
    if (here.length > MOST_NOTES)
      rows.push(h('div', { class: 'event-note quiet' }, `and ${plural(here.length - MOST_NOTES, 'more event')}`))
  }
  return h('figure', { class: 'source' }, h('figcaption', {}, printable(file)), h('div', { class: 'code' }, ...rows))
}

/** Undefined where the report does not have it. */
export function lineOf(sources: CheckDocument['sources'], { file, line }: Pick<SitePlace, 'file' | 'line'>): string | undefined {
  const excerpts = Object.hasOwn(sources, file) ? sources[file]! : []
  const excerpt = excerpts.find(({ from, lines }) => line >= from && line < from + lines.length)
  return excerpt?.lines[line - excerpt.from]
}

/** The line with what stands at the column marked. */
export function codeOf(text: string | undefined, column: number | undefined): HTMLElement {
  if (text === undefined) return h('code', { class: 'quiet' }, 'the source is not available')
  const clean = (part: string): string => printable(part.replaceAll('\t', '  '))
  if (!column || column > text.length) return h('code', {}, clean(text))
  const word = /^[\w$.#]+/.exec(text.slice(column - 1))?.[0] ?? text[column - 1]!
  return h('code', {}, clean(text.slice(0, column - 1)), h('mark', {}, clean(word)), clean(text.slice(column - 1 + word.length)))
}

function noteView({ which, event, recorded, failing }: Note, focus: Focus): HTMLElement {
  const run = focus.runs[which]
  const there = which === 'observed' ? run.same(event) : -1
  const [seen, sees] = [run.value(event), there < 0 ? undefined : focus.runs.failing.value(there)]
  const changed = seen !== undefined && sees !== undefined && seen !== sees ? `, but ${sees} in the ${focus.names.failing} order` : ''
  const when = [
    recorded === undefined ? 'not in the recorded order' : `recorded ${ordinal(recorded)}`,
    failing === undefined ? `not in the ${focus.names.failing} order` : `${focus.names.failing} ${ordinal(failing)}`,
  ].join(', ')
  const target: [Which, number] = there < 0 ? [which, event] : ['failing', there]
  return linked(
    h(
      'button',
      { class: 'event-note', type: 'button' },
      badge(run.number(event)),
      ' ',
      tag(run, run.laneOf(event)),
      ' ',
      h('span', {}, `${eventText(run, event)}${changed}`),
      ' ',
      h('span', { class: recorded === failing ? 'quiet' : 'moved' }, when),
    ),
    focus,
    ...target,
  )
}
