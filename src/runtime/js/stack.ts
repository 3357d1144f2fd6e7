/**
 * The site of a call in the program: up to eight frames, innermost first, without Node's own frames and Heddle's. Files are relative to the directory
 * in which Heddle was started. Positions of compiled code are those of its source if there is a source map.
 */
import { findSourceMap, SourceMap } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourcePlace } from '../../trace/site.ts'
import { NONE } from '../../trace/trace.ts'
import type { LateNames } from './late-names.ts'

const DEPTH = 8
const PACKAGES = 'node_modules'
/** Frames looked at: Node's and Heddle's own are among them. */
const LOOKED_AT = 40
/** The same where one place is enough and time matters. */
const FEW = 6
/** The same where the first look may be in vain. */
const NEAR = 10

/** Characters of a module that is a `data:` URL. */
const LONGEST_DATA = 80

const OWN_URL = new URL('../../', import.meta.url).href
const HEDDLE = fileURLToPath(OWN_URL)

/** Source maps that modules carried inside themselves, by file; read when first asked for. */
const carried = new Map<string, string | SourceMap | undefined>()
const names = new Map<string, string>()

/** For instrumented modules: the column of the source for a column of the code that runs. */
type Column = (line: number, column: number) => number
const columns = new Map<string, Column | (() => Column | undefined)>()

/** Notes the inline source map of a module, if it has one. */
export function noteSourceMap(file: string, source: string): void {
  const at = source.lastIndexOf('//# sourceMappingURL=data:')
  if (at < 0) return
  const base64 = /^[^,\n]*;base64,([A-Za-z0-9+/=]+)/.exec(
    source.slice(at, source.indexOf('\n', at) < 0 ? undefined : source.indexOf('\n', at)),
  )
  if (base64) carried.set(file, base64[1])
}

/** Notes that the columns of a module are not those of its source. `find` is asked when a frame in it is first looked at. */
export function noteColumns(file: string, find: () => Column | undefined): void {
  columns.set(file, find)
}

function columnOf(file: string, line: number, column: number): number {
  const known = columns.get(file)
  if (known === undefined) return column
  if (known.length > 0) return (known as Column)(line, column)
  const found = (known as () => Column | undefined)() ?? ((_line, same) => same)
  columns.set(file, found)
  return found(line, column)
}

/** What a frame says, without working out what it means. */
interface Raw {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly name: string
}

function rawOf(frame: NodeJS.CallSite): Raw {
  return {
    file: fileOf(frame)!,
    line: frame.getLineNumber() ?? 1,
    column: frame.getColumnNumber() ?? 1,
    name: frame.getFunctionName() ?? '',
  }
}

const keyOf = ({ file, line, column, name }: Raw): string => `${file}:${line}:${column}:${name}`

function siteOf({ file, line, column, name }: Raw, root: string): string {
  const place = original(file, line, columnOf(file, line, column))
  return siteName(nameOf(place.file, root), place.line, place.column, name)
}

export function nameOf(file: string, root: string): string {
  let name = names.get(file)
  if (name === undefined) {
    const path = file.startsWith('file:') ? toPath(file) : file
    name = path.startsWith('/') || /^[a-z]:\\/i.test(path) ? relative(root, path) || path : path
    // The text of a module is no name for it.
    if (name.startsWith('data:') && name.length > LONGEST_DATA) name = `${name.slice(0, LONGEST_DATA)}…`
    names.set(file, name)
  }
  return name
}

/** The place in the source the program was written in. */
export function original(file: string, line: number, column: number): SourcePlace {
  const map = mapOf(file)
  if (map === undefined) return { file, line, column }
  try {
    const entry = map.findEntry(line - 1, column - 1) as Partial<{ originalSource: string; originalLine: number; originalColumn: number }>
    if (entry.originalSource === undefined || entry.originalLine === undefined) return { file, line, column }
    const source = entry.originalSource.startsWith('file:') ? toPath(entry.originalSource) : entry.originalSource
    return {
      file: source.includes('/') && source.startsWith('/') ? source : file,
      line: entry.originalLine + 1,
      column: (entry.originalColumn ?? 0) + 1,
    }
  } catch {
    return { file, line, column }
  }
}

/** The same for a place in the code that runs, which may be instrumented. */
export const sourcePlace = (file: string, line: number, column: number): SourcePlace =>
  original(pathOf(file), line, sourceColumn(file, line, column))

/** Is a file, by its path or its URL, one of Heddle's? */
export const isOwnFile = (file: string): boolean => pathOf(file).startsWith(HEDDLE)
/** Is the code of a file, by its path or its URL, not that of its source? */
export const isInstrumented = (file: string): boolean => columns.has(pathOf(file))
/** The column of the source for a column of the code that runs. */
export const sourceColumn = (file: string, line: number, column: number): number => columnOf(pathOf(file), line, column)

function mapOf(file: string): SourceMap | undefined {
  if (process.sourceMapsEnabled) {
    const map = findSourceMap(file)
    if (map) return map
  }
  const own = carried.get(file)
  if (typeof own !== 'string') return own
  let map: SourceMap | undefined
  try {
    map = new SourceMap(JSON.parse(Buffer.from(own, 'base64').toString('utf8')))
  } catch {
    // not a source map: the positions of the code that runs are all there is
  }
  carried.set(file, map)
  return map
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

const keepFrames = (_error: Error, frames: NodeJS.CallSite[]): NodeJS.CallSite[] => frames

/** The frames that are running, innermost first, from the caller of `inside` on. */
function rawFrames(limit: number, inside: object = rawFrames): NodeJS.CallSite[] {
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  const limitBefore = Error.stackTraceLimit
  const holder: { stack?: unknown } = {}
  try {
    Error.prepareStackTrace = keepFrames
    Error.stackTraceLimit = limit
    Error.captureStackTrace(holder, inside as () => void)
    // A text where the program is just preparing a stack of its own: the engine does not do it for another one then.
    return Array.isArray(holder.stack) ? (holder.stack as NodeJS.CallSite[]) : []
  } catch {
    return []
  } finally {
    Error.stackTraceLimit = limitBefore
    if (prepare === undefined) delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace
    else Object.defineProperty(Error, 'prepareStackTrace', prepare)
  }
}

function isProgram(frame: NodeJS.CallSite): boolean {
  const file = fileOf(frame)
  return file !== undefined && !file.startsWith(HEDDLE) && leftOut?.test(file) !== true
}

let leftOut: RegExp | undefined
/** Frames in these files are nobody's places: those of a test runner. */
export function leaveOutFrames(files: RegExp): void {
  leftOut = files
}

const isOurs = (frame: NodeJS.CallSite | undefined): boolean => (frame && fileOf(frame)?.startsWith(HEDDLE)) === true

/** Paths of URLs: to work one out takes longer than all the rest of a frame. */
const paths = new Map<string, string>()

/** The path of the file a frame is in; undefined for the engine's and Node's own. */
export function fileOf(frame: NodeJS.CallSite): string | undefined {
  const file = frame.getFileName()
  return !file || file.startsWith('node:') ? undefined : pathOf(file)
}

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file
  let path = paths.get(file)
  if (path === undefined) paths.set(file, (path = toPath(file)))
  return path
}

/** The number of the call chain, up to `depth` places, from the caller of the running function `inside` on; NONE when nobody of the program is on the stack. */
export function callChain(sites: LateNames, root: string, depth = DEPTH, inside?: object): number {
  return chainNumber(rawChain(depth, inside), sites, root)
}

/** Is nobody on the stack but packages? What waits for something (`async` frames) is not on it. */
export const isCalledByPackage = (): boolean =>
  rawFrames(LOOKED_AT).every((frame) => !isProgram(frame) || fileOf(frame)!.includes(PACKAGES) || frame.isAsync())

/** The same with the line of the program on whose behalf a package calls, where nobody of the program is on the stack any more. */
export function callChainFor(sites: LateNames, root: string, behalf: { readonly key: number; readonly text: () => string }): number {
  const chain = rawChain(DEPTH, undefined)
  if (behalf.key < 0 || chain.some(({ file }) => !file.includes(PACKAGES))) return chainNumber(chain, sites, root)
  const key = `${chain.map(keyOf).join('\n')}\nfor ${behalf.key}`
  return sites.keyed(key, () => [...chain.map((raw) => siteOf(raw, root)), behalf.text()].join(' < '))
}

export interface CallPlaces {
  readonly chain: number
  readonly innermost: number
}

/** The same as numbers of the whole chain and of its innermost place. */
export function callPlaces(sites: LateNames, root: string, inside: object): CallPlaces {
  const chain = rawChain(DEPTH, inside)
  return { chain: chainNumber(chain, sites, root), innermost: chainNumber(chain.slice(0, 1), sites, root) }
}

function rawChain(depth: number, inside: object | undefined): Raw[] {
  const chain: Raw[] = []
  let users = depth === 1
  for (const frame of rawFrames(depth === 1 ? FEW : LOOKED_AT, inside)) {
    if (!isProgram(frame)) continue
    const isPackage = fileOf(frame)!.includes(PACKAGES)
    // Below a deep package: the line of the user that called it is worth more than all of these.
    if (chain.length < depth || !isPackage) chain.push(rawOf(frame))
    users ||= !isPackage
    if (chain.length >= depth && users) break
  }
  return chain
}

function chainNumber(chain: readonly Raw[], sites: LateNames, root: string): number {
  if (chain.length === 0) return NONE
  let key = ''
  for (const raw of chain) key += `${keyOf(raw)}\n`
  return sites.keyed(key, () => chain.map((raw) => siteOf(raw, root)).join(' < '))
}

/** The frames that called the running function `inside`, innermost first. */
export const callersOf = (inside: object, most: number): readonly NodeJS.CallSite[] => rawFrames(most, inside)

/** Is a frame of Node's loader of modules? */
export const isLoader = (frame: NodeJS.CallSite | undefined): boolean => frame?.getFileName()?.startsWith('node:internal/modules') ?? false

/** Is Node's loader at work, and not a module of the program that it runs? */
export function insideLoader(): boolean {
  return isLoader(rawFrames(LOOKED_AT).find(isPlace))
}

/** The innermost place of the program. Undefined when Node's loader is what called; NONE when the program is nowhere on the stack. */
export function firstPlace(sites: LateNames, root: string): number | undefined {
  // Mostly it is near, and each frame costs.
  const frame = rawFrames(NEAR).find(isPlace) ?? rawFrames(LOOKED_AT).find(isPlace)
  if (frame === undefined) return NONE
  if (isLoader(frame)) return undefined
  const raw = rawOf(frame)
  return sites.keyed(keyOf(raw), () => siteOf(raw, root))
}

const isPlace = (frame: NodeJS.CallSite): boolean => isLoader(frame) || isProgram(frame)

export function siteName(file: string, line: number, column: number, name: string): string {
  return `${file}:${line}:${column}${name === '' ? '' : ` ${name}`}`
}

/** Is the innermost place of the program in one of these files? */
export function calledFrom(test: (file: string) => boolean): boolean {
  const frame = rawFrames(LOOKED_AT).find(isProgram)
  return frame !== undefined && test(fileOf(frame)!)
}

/** Is it Node's loader of modules that called the wrapped function? */
export function calledByLoader(): boolean {
  const caller = rawFrames(8).find((frame) => !frame.getFileName()?.startsWith(OWN_URL) && !frame.getFileName()?.startsWith(HEDDLE))
  return isLoader(caller)
}

/** The file of the function that called the innermost function of the program; undefined when Node did. */
export function callerFile(): string | undefined {
  const all = rawFrames(20)
  const innermost = all.findIndex(isProgram)
  let at = innermost + 1
  // Hooks that carry calls out stand between, behind the engine's own `apply`.
  if (isOurs(all[at]) || isOurs(all[at + 1])) {
    at++
    while (isOurs(all[at])) at++
  }
  const caller = all[at]
  return innermost < 0 || caller === undefined ? undefined : fileOf(caller)
}
