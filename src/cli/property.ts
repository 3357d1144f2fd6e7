/** `heddle property check`, `list` and `format`: property files on their own, without a program. */
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { HeddleError } from '../errors.ts'
import type { Declaration } from '../property/ast.ts'
import { fileUnwritable } from '../property/errors.ts'
import { formatText } from '../property/format.ts'
import { libraryFiles } from '../property/library.ts'
import { openProperties, readPropertyText } from '../property/open.ts'
import { printable, safeJson } from '../report/escape.ts'
import { complain, FAILED } from './complain.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

export async function propertyCheckCommand(args: Arguments, io: Io): Promise<number> {
  const wrong = await eachFile(args.several('FILE'), async (path) => {
    const { declarations } = openProperties(path)
    await io.out.write(`${printable(path)}: ${contents(declarations)}\n`)
  })
  return wrong ? FAILED : 0
}

export async function propertyListCommand(args: Arguments, io: Io): Promise<number> {
  const rows = libraryFiles().flatMap(({ name, declarations }) => declarations.map((d) => row(`library/${name}`, d)))
  for (const path of args.several('FILE')) rows.push(...openProperties(path).declarations.map((d) => row(path, d)))
  if (args.flag('json')) {
    await io.out.write(`${safeJson(rows)}\n`)
    return 0
  }
  const heads = rows.map((r) => `${r.name}(${r.parameters.map((p) => [p.type, p.name].join(' ').trim()).join(', ')})`)
  const width = heads.reduce((most, head) => Math.max(most, head.length), 0)
  for (const [i, r] of rows.entries()) {
    const line = [
      heads[i]!.padEnd(width),
      r.kind.padEnd('typestate'.length),
      r.default.padEnd(3),
      r.confirm.padEnd('violation'.length),
      r.source,
    ]
    await io.out.write(`${printable(line.join('  '))}\n`)
  }
  return 0
}

export async function propertyFormatCommand(args: Arguments, io: Io): Promise<number> {
  const inPlace = args.flag('write')
  const wrong = await eachFile(args.several('FILE'), async (path) => {
    const text = readPropertyText(path)
    const formatted = formatText(text, path)
    if (!inPlace) await io.out.write(formatted)
    else if (formatted !== text) {
      replace(path, formatted)
      await io.out.write(`Wrote ${printable(path)}\n`)
    }
  })
  return wrong ? FAILED : 0
}

/** Does the work for every file; what is wrong with one is said, and the others still have their turn. */
async function eachFile(paths: readonly string[], work: (path: string) => Promise<void>): Promise<boolean> {
  let wrong = false
  for (const path of paths) {
    try {
      await work(path)
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error
      complain(error)
      wrong = true
    }
  }
  return wrong
}

/** The file is whole at every moment. A link stays a link. */
function replace(path: string, text: string): void {
  const target = realpathSync(path)
  const temporary = `${target}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { mode: statSync(target).mode })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw fileUnwritable(path, (error as Error).message.replaceAll(`.${process.pid}.tmp`, ''))
  }
}

function row(source: string, { kind, name, parameters, on, confirm, says }: Declaration) {
  return { name, kind, parameters, default: on ? 'on' : 'off', confirm, ...(says === undefined ? {} : { says }), source } as const
}

function contents(declarations: readonly Declaration[]): string {
  const named = (kind: Declaration['kind'], plural: string): string[] => {
    const names = declarations.filter((d) => d.kind === kind).map((d) => d.name)
    return names.length === 0 ? [] : [`${names.length} ${names.length === 1 ? kind : plural} (${names.join(', ')})`]
  }
  const parts = [...named('property', 'properties'), ...named('typestate', 'typestates')]
  return printable(parts.length === 0 ? 'nothing is declared' : parts.join(', '))
}
