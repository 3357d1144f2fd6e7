/**
 * Ctrl-C. Node calls a signal handler only between two turns of its event loop. So a handler set during long synchronous work (reading a trace) would
 * make Ctrl-C do nothing. There the system's default, ending the process at once, is right: nothing has to be cleaned up. `catchInterrupt` is for the
 * parts where something has.
 */

export const INTERRUPTED = 130

export interface Interrupt {
  readonly signal: AbortSignal
  /** Gives Ctrl-C its usual meaning back. */
  release(): void
}

/** A second Ctrl-C ends the process at once. */
export function catchInterrupt(controller = new AbortController()): Interrupt {
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
