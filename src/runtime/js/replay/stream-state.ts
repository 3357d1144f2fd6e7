/** The engine passes the length of what was read through one array that all streams share. A delivery that comes later needs its own values. */
import { engine } from '../engine.ts'

const state = (engine('stream_wrap') as { streamBaseState?: Int32Array } | undefined)?.streamBaseState

/** Keeps the values of now; what it gives back runs an action with them. */
export function streamState(): (action: () => void) => void {
  const kept = state?.slice()
  return (action) => {
    if (state === undefined || kept === undefined) return action()
    const before = state.slice()
    state.set(kept)
    try {
      action()
    } finally {
      state.set(before)
    }
  }
}
