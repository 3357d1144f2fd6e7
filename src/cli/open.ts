/** `heddle open`: the report in the browser, until Ctrl-C. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Store } from '../store/store.ts'
import { documentJson } from '../report/finding-json.ts'
import { htmlReport } from '../report/html/page.ts'
import type { CheckDocument } from '../report/document.ts'
import { readDocument } from '../report/read-document.ts'
import { hasBrowser, showInBrowser } from '../serve/browser.ts'
import { serve } from '../serve/server.ts'
import { waitingPage } from '../serve/waiting.ts'
import { catchInterrupt } from './interrupt.ts'
import type { Io } from './output.ts'
import type { Arguments } from '../options/parse.ts'

export async function openCommand(args: Arguments, io: Io): Promise<number> {
  const store = Store.look(process.cwd())
  const given = args.several('FINDINGS')[0]
  const file = given === undefined ? store.document : resolve(given)
  // A file that was named has to be there; the report of this folder may still come.
  const there = (): boolean => (given === undefined ? store.documentThere !== undefined : existsSync(file))
  if (given !== undefined || there()) readDocument(given ?? file)
  const report = (): CheckDocument | undefined => (there() ? readDocument(file) : undefined)
  const interrupt = catchInterrupt()
  const server = await serve({
    folder: store.folder,
    file,
    page: () => {
      const document = report()
      return document ? htmlReport(document, { live: 'progress' }) : [waitingPage('No check has ended in this folder so far.')]
    },
    findings: () => {
      const document = report()
      return document && documentJson(document)
    },
  })
  try {
    await io.out.write(`The report is at ${server.address}\nCtrl-C ends it.\n`)
    await io.out.flush()
    const browser = args.word<'on' | 'off'>('browser') ?? (process.stdout.isTTY && hasBrowser(process.env, process.platform) ? 'on' : 'off')
    if (browser === 'on') showInBrowser(server.address, process.platform)
    await aborted(interrupt.signal)
  } finally {
    await server.close()
    interrupt.release()
  }
  return 0
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
