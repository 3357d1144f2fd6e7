/** `heddle property infer TRACE…`: a first state machine for each class of objects, as text for the user to correct. */
import { HeddleError } from '../errors.ts'
import { format } from '../property/format.ts'
import { inferMachines, type Inferred } from '../property/infer.ts'
import { openTrace } from '../trace/open.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

export async function propertyInferCommand(args: Arguments, io: Io): Promise<number> {
  await io.out.write(infer({ traces: args.several('TRACE'), className: args.word('class'), k: args.number('k') }))
  return 0
}

export interface InferArguments {
  readonly traces: readonly string[]
  readonly className?: string | undefined
  readonly k?: number | undefined
}

/** The text of a property file. */
export function infer({ traces, className, k = 1 }: InferArguments): string {
  const found = inferMachines(
    traces.map((path) => openTrace(path)),
    { className, k },
  )
  if (found.length === 0) throw nothingToInfer(traces.length, className)
  const used = new Set<string>()
  return found
    .map((inferred) => {
      let { name } = inferred.typestate
      for (let i = 2; used.has(name); i++) name = `${inferred.typestate.name}_${i}`
      used.add(name)
      return `${remarks(inferred, k).join('\n')}\n${format({ declarations: [{ ...inferred.typestate, name }] })}`
    })
    .join('\n')
}

function remarks({ objects, runs, seldom, k, cut }: Inferred, asked: number): string[] {
  const lines = [
    `// A guess, from what ${count(objects, 'object')} in ${count(runs, 'run')} did. What was not seen is forbidden here, though it may be right.`,
    '// Read it, correct it, and give its states better names.',
  ]
  if (seldom.length > 0) lines.push(`// Left out, called on one object only: ${list(seldom)}.`)
  if (k < asked) lines.push(`// With --k ${asked} there would be too many states; this is --k ${k}.`)
  if (cut > 0) lines.push(`// Of ${count(cut, 'object')} only the beginning was examined.`)
  return lines
}

const MOST_NAMED = 8

/** Names come from traces: no line break may end the comment. */
function list(names: readonly string[]): string {
  const plain = names.slice(0, MOST_NAMED).map((name) => name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 40))
  return plain.join(', ') + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '')
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const nothingToInfer = (traces: number, className: string | undefined): HeddleError =>
  new HeddleError(
    'nothing-to-infer',
    `${traces === 1 ? 'The trace has' : 'The traces have'} no calls of the same operation on two objects${className === undefined ? '' : ` of class ${className}`}`,
    className === undefined
      ? 'Record a run in which more objects are used, or give several traces'
      : 'Look at the names of classes with `heddle show TRACE`, or give several traces',
  )
