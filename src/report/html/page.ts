/**
 * The HTML report: one file, no network, opens from disk. All data is in it as JSON that is never executed; the client (client/) draws it. The client
 * and the data of the list come first, findings and their pictures after them, so that a list of thousands is visible before the rest has been read.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { HeddleError } from '../../errors.ts'
import type { CheckDocument } from '../document.ts'
import { lineIn } from '../excerpt-line.ts'
import { entriesOf } from './entry.ts'

export interface HtmlReportOptions {
  /** The address of an event stream, relative to the page: the report of `heddle open` shows progress and follows new findings. */
  readonly live?: string
}

export function* htmlReport(document: CheckDocument, { live }: HtmlReportOptions = {}): Generator<string> {
  const { client, style } = assets()
  const { findings, sources, ...head } = document
  const csp = [
    "default-src 'none'",
    `script-src '${hash(client)}'`,
    `style-src '${hash(style)}'`,
    'img-src data:',
    ...(live === undefined ? [] : ["connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  yield `<!doctype html>
<html lang="en"${live === undefined ? '' : ` data-live="${attribute(live)}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Heddle report</title>
<style>${style}</style>
</head>
<body>
<div id="app"><p class="quiet">Reading the report …</p></div>
<noscript><p>This report is drawn by a script inside this file. It loads nothing and sends nothing: allow it to run, or read the same findings with <code>heddle show</code>.</p></noscript>
${data('head', head)}
${data('entries', entriesOf(findings, lineIn(document)))}
<script>${client}</script>
`
  yield `${data('sources', sources)}\n`
  for (const [i, { picture, ...finding }] of findings.entries()) {
    yield `${data(`finding-${i}`, finding)}\n`
    if (picture) yield `${data(`picture-${i}`, picture)}\n`
  }
  yield '</body>\n</html>\n'
}

const data = (id: string, value: unknown): string => `<script type="application/json" id="${id}">${embedded(value)}</script>`

/** JSON in which no character means anything to HTML. */
const embedded = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

const attribute = (text: string): string => text.replace(/[^\w./-]/g, (c) => `&#${c.codePointAt(0)};`)

const hash = (text: string): string => `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`

/** Built by scripts/build-report.mjs. Where this file runs as TypeScript, the built ones are in dist. */
function assets(): { client: string; style: string } {
  const read = (name: string): string => {
    const beside = new URL(name, import.meta.url)
    const built = existsSync(beside) ? beside : new URL(`../../../dist/report/html/${name}`, import.meta.url)
    if (!existsSync(built))
      throw new HeddleError(
        'internal',
        `The script of the HTML report is not there: ${name}`,
        'run `npm run build` in the folder of Heddle',
      )
    return readFileSync(built, 'utf8').trimEnd()
  }
  return { client: read('client.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'), style: read('style.css') }
}
