/**
 * The two layers of tests. `npm test` runs every `*.test.ts`; `npm run test:all` also every `*.all.test.ts`, and the others at their full sizes. CONTRIBUTING.md says what
 * belongs where. The configuration of vitest says which one it is.
 */

/** Does everything run? */
export const ALL: boolean = process.env['HEDDLE_TESTS'] === 'all'

/** How many traces, seeds or programs: in the usual run, and where everything runs. Never decided by a clock. */
export const sized = <T>(usual: T, all: T): T => (ALL ? all : usual)
