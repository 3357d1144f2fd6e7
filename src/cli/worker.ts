/** `heddle worker`. */
import { Connection } from '../explore/queue/connection.ts'
import { Farm } from '../farm/worker.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import type { Isolate } from '../isolate/isolation.ts'
import type { Arguments } from '../options/parse.ts'
import { printable } from '../report/escape.ts'
import { noQueueGiven } from './errors.ts'
import { catchInterrupt } from './interrupt.ts'
import type { Io } from './output.ts'

export async function workerCommand(args: Arguments, io: Io): Promise<number> {
  const url = args.word('queue')
  if (url === undefined) throw noQueueGiven('heddle worker')
  const idle = args.number('idle')
  const interrupt = catchInterrupt()
  const connection = await Connection.open(url, args.word('queue-creds'), 'heddle worker')
  const say = (sentence: string): unknown => process.stderr.write(`heddle: ${printable(sentence)}\n`)
  const farm = new Farm(
    connection,
    {
      cwd: process.cwd(),
      frontEnds: FRONT_ENDS,
      allow: args.list('allow'),
      atOnce: args.number('at-once')!,
      idleMs: idle === undefined ? undefined : idle * 1000,
      isolate: args.words('isolate') as Isolate[] | undefined,
      hooks: { beforeEach: args.word('before-each'), afterEach: args.word('after-each') },
    },
    say,
  )
  try {
    await io.out.write(`Waiting for work from ${printable(connection.url)}. Ctrl-C ends it.\n`)
    await io.out.flush()
    await farm.serve(interrupt.signal)
  } finally {
    interrupt.release()
    await connection.close()
  }
  await io.out.write(`Done: ${farm.made} ${farm.made === 1 ? 'item' : 'items'}.\n`)
  return 0
}
