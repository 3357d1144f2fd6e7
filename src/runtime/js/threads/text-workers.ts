/**
 * Workers whose code is given as text (`eval: true`). Node runs it without `--import`, so the text that Node gets loads the runtime first and then
 * runs the program's text, as a script with the name that Node gives it.
 */
import { constants, Script } from 'node:vm'

const RUN = 'heddle: run text'

/** The text for Node, or undefined when the program's is no script: an ES module, or wrong. */
export function wrapped(text: string, register: string): string | undefined {
  try {
    new Script(text)
  } catch {
    return undefined
  }
  // In a tick, so that what it throws is an uncaught exception and no rejection.
  return `import(${JSON.stringify(register)}).then(()=>process.nextTick(()=>globalThis[Symbol.for(${JSON.stringify(RUN)})](${JSON.stringify(text)})))`
}

/** In a worker: gets ready to run a text, if that is what it is made for. */
export function readyForText(transform: (text: string) => string | undefined): void {
  const run = (text: string): void => {
    delete (globalThis as Record<symbol, unknown>)[Symbol.for(RUN)]
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    new Script(transform(text) ?? text, { filename: '[worker eval]', importModuleDynamically }).runInThisContext()
  }
  Object.defineProperty(globalThis, Symbol.for(RUN), { value: run, configurable: true, enumerable: false })
}
