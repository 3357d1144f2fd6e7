/** Opens a trace file of any format Heddle reads, and refuses other files. The result has been validated. */
import { isUtf8 } from 'node:buffer'
import type { FileBytes } from '../base/file-bytes.ts'
import { HeddleError } from '../errors.ts'
import { notATrace, stdLineTooLong, textTooLong, traceEmpty, traceUnreadable } from './errors.ts'
import { MAGIC, readTraceFile } from './file.ts'
import { readStd } from './import/std.ts'
import { openBytes } from './open-bytes.ts'
import { isMisfit, withoutMisfits } from './misfits.ts'
import { parseText } from './text.ts'
import type { Trace } from './trace.ts'
import { validate } from './validate.ts'

/** Drawn traces are read as one string. */
const LONGEST_TEXT = 1 << 27

/** `strict: false`: lock events that fit no run are left out, and the trace says so; else they are an error. */
export function openTrace(path: string, { strict = true }: { readonly strict?: boolean } = {}): Trace {
  const file = openBytes(path)
  try {
    const trace = readAny(file)
    try {
      return validate(trace)
    } catch (error) {
      if (strict || !isMisfit(error)) throw error
      return validate(withoutMisfits(trace, error))
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof HeddleError || code === undefined) throw error
    throw traceUnreadable(path, message) // the disk failed while reading
  } finally {
    file.close()
  }
}

function readAny(file: FileBytes): Trace {
  const start = file.peek()
  if (start.length === 0) throw traceEmpty(file.path)
  // Also a file that was cut inside the magic number.
  const common = Math.min(start.length, MAGIC.length)
  if (start.subarray(0, common).equals(MAGIC.subarray(0, common))) return readTraceFile(file)
  const zero = start.indexOf(0)
  if (zero >= 0) throw notATrace(file.path, zero)
  return looksLikeStd(start) ? readStd(file) : readText(file)
}

/** The first line that is neither blank nor a comment has a `|`. When the look ahead holds only comments it must be a long file: STD. */
function looksLikeStd(start: Buffer): boolean {
  const text = start.toString('latin1')
  for (const line of text.split('\n')) {
    const trimmed = line.replace('\u00ef\u00bb\u00bf', '').trim()
    if (trimmed !== '' && !trimmed.startsWith('#')) return trimmed.includes('|')
  }
  return text.length >= 1 << 20 || text.includes('heddle:')
}

function readText(file: FileBytes): Trace {
  const parts: Buffer[] = []
  let length = 0
  let line = 0
  for (let chunk = file.next(); chunk.length > 0; chunk = file.next()) {
    length += chunk.length
    line = chunk.includes(10) ? 0 : line + chunk.length
    if (line >= 1 << 20) throw stdLineTooLong(file.path, 1, 1 << 20)
    if (length > LONGEST_TEXT) throw textTooLong(file.path, LONGEST_TEXT)
    parts.push(Buffer.from(chunk))
  }
  const bytes = Buffer.concat(parts)
  if (!isUtf8(bytes)) throw notATrace(file.path, firstBadByte(bytes))
  return parseText(bytes.toString('utf8'), file.path)
}

/** Where a text stops being UTF-8, by halving. */
function firstBadByte(bytes: Buffer): number {
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const mid = (good + bad) >> 1
    // A cut inside a character is not an error of the text: look back to the start of that character.
    let end = mid
    while (end > good && (bytes[end]! & 0xc0) === 0x80) end--
    if (end > good && isUtf8(bytes.subarray(0, end))) good = end
    else bad = mid
  }
  return good
}
