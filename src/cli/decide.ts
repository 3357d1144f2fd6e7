/** `heddle decide`: an abstract polygraph, without a trace. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { printable } from '../report/escape.ts'
import { solvePolygraph } from '../solve/complete.ts'
import { checkOrder, decidePolygraph, parsePolygraph, type Polygraph } from '../solve/polygraph/index.ts'
import { badPolygraph, polygraphUnreadable } from './errors.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

const MOST_BYTES = 1 << 28

export async function decideCommand(args: Arguments, io: Io): Promise<number> {
  const path = args.positional('FILE')
  const polygraph = parsePolygraph(read(path))
  if ('fault' in polygraph) throw badPolygraph(path, polygraph.at, printable(polygraph.fault))
  await io.out.write(args.word('decider') === 'polygraph' ? published(polygraph) : complete(polygraph))
  return 0
}

function complete(polygraph: Polygraph): string {
  const answer = solvePolygraph(polygraph)
  if ('unknown' in answer) return 'unknown\n'
  return answer.feasible ? feasible(polygraph, answer.order) : 'infeasible\n'
}

function published(polygraph: Polygraph): string {
  const answer = decidePolygraph(polygraph)
  if (answer.unknown) return 'unknown\n'
  return answer.feasible ? feasible(polygraph, answer.order) : `infeasible\ncycle: ${answer.cycle.join(' ')}\n`
}

/** Said only of an order that has been checked. */
function feasible(polygraph: Polygraph, order: Int32Array): string {
  const broken = checkOrder(polygraph, order)
  if (broken) throw new Error(`the decider gave a wrong order: ${broken}`)
  return `feasible\norder: ${order.join(' ')}\n`
}

function read(path: string): string {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    if (fstatSync(fd).size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`)
    return readFileSync(fd, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const known: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory', EACCES: 'permission denied' }
    throw polygraphUnreadable(path, known[code ?? ''] ?? message)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
