/**
 * `heddle import` and `heddle export`: a trace in another format. The file is written under another name and then renamed, so it is complete or
 * absent.
 */
import { closeSync, lstatSync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs'
import { HeddleError } from '../errors.ts'
import { drawTrace } from '../trace/draw.ts'
import { traceUnwritable } from '../trace/errors.ts'
import { writeTrace } from '../trace/file.ts'
import { writeStd } from '../trace/import/std-write.ts'
import { openTrace } from '../trace/open.ts'
import type { Trace } from '../trace/trace.ts'
import { printable } from '../report/escape.ts'
import { fileExists, importsBinary, notAFile, tooLongToDraw, unknownFormat } from './errors.ts'
import { aTurn, catchInterrupt, INTERRUPTED } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

type Format = 'std' | 'text' | 'binary'

/** A drawing is one string. */
const MOST_DRAWN = 1_000_000

export function importCommand(args: Arguments, io: Io): Promise<number> {
  const out = args.positional('OUT')
  const format = formatOf(out)
  if (format !== undefined && format !== 'binary') throw importsBinary(out)
  return convert(args.positional('IN'), out, 'binary', args.flag('force'), io)
}

export function exportCommand(args: Arguments, io: Io): Promise<number> {
  const out = args.positional('OUT')
  const format = args.word<Format>('format') ?? formatOf(out)
  if (format === undefined) throw unknownFormat(out)
  return convert(args.positional('IN'), out, format, args.flag('force'), io)
}

function formatOf(path: string): Format | undefined {
  if (path.endsWith('.std')) return 'std'
  if (path.endsWith('.txt')) return 'text'
  return path.endsWith('.heddle') ? 'binary' : undefined
}

async function convert(from: string, path: string, format: Format, force: boolean, io: Io): Promise<number> {
  const target = checkTarget(path, force)
  const trace = openTrace(from)
  if (format === 'text' && trace.eventCount > MOST_DRAWN) throw tooLongToDraw(from, trace.eventCount, MOST_DRAWN)
  const temporary = `${target}.${process.pid}.tmp`
  // Writing has no pauses, so Ctrl-C waits until the temporary file is done; then it is removed.
  const interrupt = catchInterrupt()
  try {
    write(trace, temporary, format)
    await aTurn()
    if (interrupt.signal.aborted) return INTERRUPTED
    checkTarget(path, force) // somebody may have put a file there meanwhile
    renameSync(temporary, target)
  } catch (error) {
    // Users named a file, not the temporary one beside it.
    const plain = (text: string): string => text.replaceAll(`.${process.pid}.tmp`, '')
    if (error instanceof HeddleError) throw new HeddleError(error.code, plain(error.fact), error.remedy)
    throw traceUnwritable(path, plain((error as Error).message))
  } finally {
    rmSync(temporary, { force: true })
    interrupt.release()
  }
  const truncated = trace.facts.truncated === undefined ? '' : ` The trace is incomplete: ${trace.facts.truncated}`
  await io.out.write(printable(`Wrote ${trace.eventCount} events of ${trace.taskCount} tasks to ${path}.${truncated}`) + '\n')
  return 0
}

function write(trace: Trace, path: string, format: Format): void {
  if (format === 'binary') return writeTrace(trace, path)
  const fd = openSync(path, 'w')
  const sink = (piece: string): void => {
    const bytes = Buffer.from(piece)
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
  }
  try {
    if (format === 'std') writeStd(trace, sink)
    else sink(drawTrace(trace))
  } finally {
    closeSync(fd)
  }
}

/** Where to write: what a link points to. Refuses what is there already, and what is no file even with --force. */
function checkTarget(path: string, force: boolean): string {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return path
  if (!force) throw fileExists(path)
  if (there.isSymbolicLink()) {
    let real: string
    try {
      real = realpathSync(path)
    } catch {
      throw notAFile(path)
    }
    return checkTarget(real, force)
  }
  if (!there.isFile()) throw notAFile(path)
  return path
}
