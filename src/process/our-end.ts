/**
 * What is done when Heddle ends, by itself or by a signal. If other code listens for the signal (our own Ctrl-C, or the program that uses the
 * library), that code decides when, and this is done as the process exits.
 */
const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const actions = new Set<() => void>()

/** Call the result when there is nothing to do any more: the program that uses the library gets its signals back. */
export function atOurEnd(action: () => void): () => void {
  if (actions.size === 0) listen('on')
  actions.add(action)
  return () => {
    if (actions.delete(action) && actions.size === 0) listen('off')
  }
}

function listen(way: 'on' | 'off'): void {
  process[way]('exit', doAll)
  for (const signal of DEADLY) process[way](signal, onDeadly)
}

/** What began last is ended first: programs before the folders they write to. */
function doAll(): void {
  for (const action of [...actions].reverse()) action()
}

function onDeadly(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  doAll()
  process.off(signal, onDeadly)
  process.kill(process.pid, signal)
}
