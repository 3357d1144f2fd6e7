/** The engine passes the length of what was read through one array that all streams share. A delivery that comes later needs its own values. */
import { engine } from './engine.ts'
import { FRAMED } from './kinds.ts'

const state = (engine('stream_wrap') as { streamBaseState?: Int32Array } | undefined)?.streamBaseState

/** Its first two fields: bytes, or an error; where they begin in the buffer. */
const LENGTH = 0
const OFFSET = 1

/** Their callbacks are not all reads, or those of frames. What TLS reads comes as it was sent, in whatever pieces the connection below has it. */
const UNCOUNTED: ReadonlySet<string> = new Set(['UDPWRAP', 'TLSWRAP', ...FRAMED])

/** How many bytes the engine has just read of a stream; 0 at its end, and of what is none. */
export const bytesRead = (type: string): number => (state === undefined || UNCOUNTED.has(type) ? 0 : Math.max(0, state[LENGTH]!))

/** What the engine has just read into this buffer. */
export const bytesIn = (buffer: ArrayBuffer): Uint8Array => new Uint8Array(buffer, state?.[OFFSET] ?? 0, bytesRead(''))

/** Runs an action as if the engine had just read these bytes, into their buffer. */
export function asRead(bytes: Uint8Array, action: () => void): void {
  const before = state!.slice()
  state![LENGTH] = bytes.length
  state![OFFSET] = bytes.byteOffset
  try {
    action()
  } finally {
    state!.set(before)
  }
}

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
