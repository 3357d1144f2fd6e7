/** The errors of a property file, each with its position, and the exception that carries all of a file. `errors.ts` has the texts. */
import { HeddleError } from '../errors.ts'
import type { Position } from './ast.ts'

export interface Fault {
  readonly code: string
  /** Builders have no text, so their faults have no place. */
  readonly at: Position | undefined
  readonly fact: string
  readonly remedy: string
}

const MOST_SHOWN = 20
const WIDEST = 120

/** One or more faults of one source, in the order of the text. `report` is what the command line prints. */
export class PropertyError extends HeddleError {
  /** Per fault: a sentence, the line it is about, and a caret under the place, separated by newlines. */
  readonly report: readonly string[]

  constructor(
    source: string,
    text: string,
    readonly faults: readonly Fault[],
  ) {
    const first = faults[0]!
    super(first.code, `${placeOf(source, first)}${first.fact}`, first.remedy)
    this.name = 'PropertyError'
    const report = faults.slice(0, MOST_SHOWN).map((fault) => lines(source, text, fault).join('\n'))
    if (faults.length > MOST_SHOWN)
      report.push(`${visible(source)}: ${faults.length - MOST_SHOWN} more faults are not shown. Mend these first`)
    this.report = report
    this.message = report.join('\n')
  }
}

function lines(source: string, text: string, fault: Fault): string[] {
  const sentence = visible(`${placeOf(source, fault)}${fault.fact}. ${fault.remedy}`)
  if (!fault.at) return [sentence]
  const { offset, column } = fault.at
  const begin = offset - (column - 1)
  const end = text.slice(offset).search(/[\r\n]/)
  const line = text.slice(begin, end < 0 ? text.length : offset + end)
  // Long lines are cut so that the caret is in sight.
  const from = column > WIDEST ? column - WIDEST / 2 : 0
  return [sentence, `  ${visible(line.slice(from, from + WIDEST))}`, `  ${' '.repeat(column - 1 - from)}^`]
}

const placeOf = (source: string, { at }: Fault): string => (at ? `${visible(source)}:${at.line}:${at.column}: ` : `${visible(source)}: `)

/** One sign for one unit, so that the caret stands where it should; nothing that a terminal could take for a command. */
const visible = (text: string): string => text.replace(/[\p{C}\p{Z}]/gu, (c) => (c === ' ' || c === '\t' ? ' ' : '�'.repeat(c.length)))
