/** Sites of programs as locations of SARIF 2.1.0: URIs relative to the folder of the check, lines and columns from 1. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckDocument } from './document.ts'
import { lineIn } from './excerpt-line.ts'
import { printable } from './escape.ts'
import { placeOf, type SitePlace } from '../trace/site.ts'

export const ROOT_ID = '%SRCROOT%'

export interface SarifMessage {
  readonly text: string
}

export interface SarifLocation {
  readonly id?: number
  readonly message?: SarifMessage
  readonly physicalLocation?: object
  readonly logicalLocations?: readonly object[]
}

/** `{0}` is a place for an argument in messages of SARIF, and `[text](target)` a link: programs write neither. */
export const messageOf = (text: string): SarifMessage => ({
  text: printable(text)
    .replaceAll(/\{(?=\d+\})/g, '{ ')
    .replaceAll('](', '] ('),
})

/** Undefined for what stands in no file. */
export function locationOf(site: string, document: CheckDocument, message?: string): SarifLocation | undefined {
  const place = placeOf(site)
  if (!place) return undefined
  const logical = place.name === '' ? {} : { logicalLocations: [{ name: printable(place.name), kind: 'function' }] }
  const said = message === undefined ? {} : { message: messageOf(message) }
  const artifactLocation = artifactOf(place.file, document.root)
  if (!artifactLocation) return { ...said, logicalLocations: [{ fullyQualifiedName: printable(site) }] }
  return { ...said, physicalLocation: { artifactLocation, ...regionOf(place, document) }, ...logical }
}

/** Of a line of a stack, `at buy (file:///shop/buy.js:18:35)`. Its column is one of the code that ran, which is not that of the source. */
export function stackSite(line: string): string | undefined {
  const match = /(?:^|[( ])((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+)(?::\d+)?\)?$/.exec(line)
  return match ? `${match[1]}:${match[2]}` : undefined
}

function regionOf(place: SitePlace, document: CheckDocument): object {
  if (place.line < 1) return {}
  const text = lineIn(document)(place)
  return {
    region: { startLine: place.line, ...(place.column > 0 ? { startColumn: place.column } : {}) },
    ...(text === '' ? {} : { contextRegion: { startLine: place.line, snippet: { text } } }),
  }
}

export const folderUri = (folder: string): string => `${pathToFileURL(resolve(folder)).href.replace(/\/$/, '')}/`

function artifactOf(file: string, root: string): object | undefined {
  if (file.startsWith('file:')) return within(file, root)
  if (/^[a-z][\w+.-]+:/i.test(file) || file === '' || file.startsWith('<')) return undefined
  const relative = file.replace(/^\.\//, '')
  if (!relative.startsWith('../') && !relative.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(relative))
    return { uri: relative.split('/').map(encoded).join('/'), uriBaseId: ROOT_ID }
  return within(pathToFileURL(resolve(root, relative)).href, root)
}

/** A URI below the folder is given relative to it, so that a report made elsewhere fits. */
function within(uri: string, root: string): object {
  const base = folderUri(root)
  return uri.startsWith(base) ? { uri: uri.slice(base.length).replaceAll(':', '%3A'), uriBaseId: ROOT_ID } : { uri }
}

const encoded = (segment: string): string => encodeURIComponent(segment.replaceAll(/\p{Cs}/gu, '\ufffd')).replaceAll('%40', '@')
