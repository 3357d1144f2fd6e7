/**
 * Files of a Java run from a text, so that no JVM is needed. A line is a record, in the order in which they happened: thread, kind, object, field, value.
 *
 *   main: create 1
 *   thread 1: begin
 *   thread 1: write 5 1 =7
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIND } from '../../../src/frontends/java/kinds.ts'
import { RECORD_BYTES } from '../../../src/frontends/threads/record-file.ts'

const HEAD_BYTES = 64
const LINE = /^(main|thread [\d.]+): (\w+)(?: (\d+))?(?: (\d+))?(?: =(\d+))?$/

const TABLES = [
  's\t1\tpack/Bank\tpay\tBank.java\t12',
  'f\t1\tpack.Bank\tbalance\tI\t0',
  'f\t2\tpack.Bank\tlock\tLjava/lang/Object;\t16',
  'c\t1\tpack.Bank',
  'c\t2\tjava.util.ArrayList',
  'o\tpack/Bank',
  'k\tpack/Odd\tit has no code',
]

/** Writes the files, and gives the names of the threads by number. */
export function writeJavaRun(folder: string, text: string): string[] {
  const threads = new Map<string, { records: Buffer[]; steps: number }>()
  let stamp = 0
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const [, name, word, object = '0', field = '0', value = '0'] = LINE.exec(line) ?? []
    const kind = KIND[word?.toUpperCase() as keyof typeof KIND]
    if (kind === undefined) throw new Error(`no record: ${line}`)
    const thread = threads.get(name!) ?? { records: [], steps: 0 }
    threads.set(name!, thread)
    const record = Buffer.alloc(RECORD_BYTES)
    record.writeUInt32LE(kind | (1 << 8), 0)
    record.writeUInt32LE(kind < KIND.INFO ? ++thread.steps : thread.steps, 4)
    record.writeUInt32LE(Number(object), 8)
    record.writeUInt32LE(Number(field), 12)
    record.writeBigUInt64LE(BigInt(value), 16)
    record.writeBigUInt64LE(BigInt(++stamp), 24)
    thread.records.push(record)
  }
  mkdirSync(join(folder, 'threads'), { recursive: true })
  const names = [...threads.keys()]
  for (const [id, name] of names.entries()) {
    const head = Buffer.alloc(HEAD_BYTES)
    head.write('HDJAVA01', 0, 'latin1')
    head.writeUInt32LE(id, 8)
    head.write(name, 16, 'latin1')
    writeFileSync(join(folder, `threads/${id}.raw`), Buffer.concat([head, ...threads.get(name)!.records]))
  }
  writeFileSync(join(folder, 'tables'), `${TABLES.join('\n')}\n`)
  return names
}

/** One of everything that threads meet at. */
export const RUN = `
  main: object 5 1
  main: object 6 2
  main: create 1
  main: lock 5
  main: write 5 1 =7
  main: unlock 5
  thread 1: begin
  thread 1: lock 5
  thread 1: read 5 1 =7
  thread 1: wait 5 0 =1
  main: lock 5
  main: broadcast 5
  main: unlock 5
  thread 1: woken 5 0 =1
  thread 1: unlock 5
  main: permits 8 0 =1
  main: sem_wait 8 0 =1
  main: sem_post 8 0 =1
  thread 1: sem_wait 8 0 =1
  thread 1: sem_post 8 0 =1
  main: permits 9 1 =1
  main: latch_down 9
  thread 1: latch_await 9
  main: change 6
  thread 1: look 6
  main: give 10 0 =3
  thread 1: get 10 0 =3
  main: once_begin 0 1
  main: once_end 0 1
  thread 1: once_seen 0 1
  main: unpark 1
  thread 1: park 1
  main: interrupt 1
  thread 1: interrupted 1
  main: barrier_arrive 11 0 =2
  thread 1: barrier_arrive 11 0 =2
  thread 1: barrier_leave 11
  main: barrier_leave 11
  thread 1: end 1
  main: join 1
  main: end
`
