/** `heddle client check` and `list`: client files on their own, without a program. */
import type { Client } from '../clients/client.ts'
import { libraryClients, openClients } from '../clients/open.ts'
import { HeddleError } from '../errors.ts'
import type { Arguments } from '../options/parse.ts'
import { printable, safeJson } from '../report/escape.ts'
import { complain, FAILED } from './complain.ts'
import type { Io } from './output.ts'

export async function clientCheckCommand(args: Arguments, io: Io): Promise<number> {
  let wrong = false
  for (const path of args.several('FILE'))
    try {
      const clients = openClients(path)
      const contents = clients.map(({ name, calls, tasks = [] }) => `client ${name} (${[...calls, ...tasks].map(nameOf).join(', ')})`)
      await io.out.write(`${printable(`${path}: ${contents.length === 0 ? 'nothing is declared' : contents.join(', ')}`)}\n`)
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error
      complain(error)
      wrong = true
    }
  return wrong ? FAILED : 0
}

export async function clientListCommand(args: Arguments, io: Io): Promise<number> {
  const files = [
    ...libraryClients().map(({ name, clients }) => ({ source: `library/${name}`, clients })),
    ...args.several('FILE').map((source) => ({ source, clients: openClients(source) })),
  ]
  const rows = files.flatMap(({ source, clients }) => clients.map((client) => ({ ...client, source })))
  if (args.flag('json')) {
    await io.out.write(`${safeJson(rows)}\n`)
    return 0
  }
  const lines = rows.flatMap((row) => [
    ...row.calls.map((call) => [row.packages.join(' '), readerOf(row), nameOf(call), row.source]),
    ...(row.tasks ?? []).map((task) => [row.packages.join(' '), 'task', nameOf(task), row.source]),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...lines.map((line) => line[column]!.length)))
  for (const line of lines) await io.out.write(`${printable(line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))}\n`)
  return 0
}

const nameOf = (call: Pick<Client['calls'][number], 'class' | 'below' | 'method'>): string =>
  `${call.class}${call.below ? '+' : ''}.${call.method}`

const readerOf = ({ reader }: Client): string => (reader.kind === 'sql' ? reader.dialect : reader.kind)
