/** The preload as a flag of Node and in NODE_OPTIONS. Only text: it is loaded into every process of tests. */
import { RUN_VARIABLE } from '../runtime/js/protocol.ts'

/** Programs run the built one, also when Heddle itself runs from its sources (in tests). */
export const PRELOAD = new URL(`${import.meta.url.endsWith('.ts') ? '../../dist' : '..'}/preload/tests.js`, import.meta.url).href

const OURS = `--import=${PRELOAD}`

export const withOurs = (options: string | undefined): string => (options ? `${options} ${OURS}` : OURS)

/** What NODE_OPTIONS is without Heddle. */
export const withoutOurs = (options: string): string => options.replace(OURS, '').trim()

/** From now on processes that this one starts are none of Heddle's business: they are part of a test. */
export function leaveChildrenAlone(): void {
  delete process.env[RUN_VARIABLE]
  const options = process.env['NODE_OPTIONS']
  if (options === undefined || !options.includes(OURS)) return
  const rest = withoutOurs(options)
  if (rest === '') delete process.env['NODE_OPTIONS']
  else process.env['NODE_OPTIONS'] = rest
}
