/**
 * The identity of shared buffers. A buffer that is sent to another thread is another object there, and nothing shows that the memory is the same. So
 * each gets a label where it is made, `main#1`, and messages carry the labels of the buffers in them.
 */
import { types } from 'node:util'
import { control, HAS_BUFFERS, store } from './control.ts'
import { ownTask } from './steps.ts'
import { walk } from './walk.ts'
import { Identity } from '../identity.ts'

/** One for each buffer and thread, however many objects stand for it. */
export interface SharedBuffer {
  readonly label: string
  /** Of the label: the same in all threads. */
  readonly hash: number
  /** May other threads have it? */
  sent: boolean
}

/** What the user is to be told, each sentence once. */
export const notes = new Set<string>()

/** Puts a label on a buffer where nobody can see it, as core.ts does with contexts. */
class Labelled extends Identity {
  #buffer: SharedBuffer
  constructor(object: object, buffer: SharedBuffer) {
    super(object)
    this.#buffer = buffer
  }
  static of(object: object): SharedBuffer | undefined {
    return #buffer in object ? (object as Labelled).#buffer : undefined
  }
}

const known = new Map<string, SharedBuffer>()
let made = 0

/** What is known of a shared buffer; undefined when it was not made by the program's JavaScript. */
export const labelOf = (buffer: object): SharedBuffer | undefined => Labelled.of(buffer)

function label(buffer: object, name: string): void {
  if (Labelled.of(buffer) !== undefined) return
  let shared = known.get(name)
  if (shared === undefined) known.set(name, (shared = { label: name, hash: hashOf(name), sent: false }))
  new Labelled(buffer, shared)
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash | 0
}

/** Labels every buffer the program makes from now on, also as a subclass or by slice. */
export function watchBuffers(): void {
  const original = SharedArrayBuffer
  const watched = new Proxy(original, {
    construct(target, args, newTarget) {
      const buffer = Reflect.construct(target, args, newTarget) as SharedArrayBuffer
      label(buffer, `${ownTask.name}#${++made}`)
      if (control[HAS_BUFFERS] === 0) store(control, HAS_BUFFERS, 1)
      return buffer
    },
  })
  Object.defineProperty(original.prototype, 'constructor', { value: watched, writable: true, configurable: true, enumerable: false })
  Object.defineProperty(globalThis, 'SharedArrayBuffer', { value: watched, writable: true, configurable: true, enumerable: false })
}

const NO_LABELS: readonly string[] = []

/** The labels of the shared buffers in a value, in the order of the walk; an empty one for a buffer that has none. */
export function buffersIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || control[HAS_BUFFERS] === 0) return NO_LABELS
  let labels: string[] | undefined
  const { complete, getters } = walk(value, (leaf) => {
    if (!types.isSharedArrayBuffer(leaf)) return
    const known = Labelled.of(leaf)
    if (known !== undefined) known.sent = true
    const name = known?.label
    if (name === undefined)
      notes.add('A shared buffer that was not made with new SharedArrayBuffer (of WebAssembly, say) was sent: it was left alone.')
    labels ??= []
    labels.push(name ?? '')
  })
  if (!complete) notes.add('A message held more than 10,000 objects: shared buffers beyond those were left alone.')
  if (labels === undefined) return NO_LABELS
  if (!getters) return labels
  notes.add(BEHIND_GETTERS)
  return NO_LABELS
}

const BEHIND_GETTERS = 'A message with shared buffers had getters, too: the buffers of that message were left alone.'

/** Labels the shared buffers in the clone of a value of which `buffersIn` has said this. */
export function adopt(value: unknown, labels: readonly string[] | undefined): void {
  if (labels === undefined || labels.length === 0) return
  const met: object[] = []
  walk(value, (leaf) => {
    if (types.isSharedArrayBuffer(leaf)) met.push(leaf)
  })
  if (met.length !== labels.length) {
    notes.add(BEHIND_GETTERS)
    return
  }
  for (const [i, buffer] of met.entries()) {
    if (labels[i] === '') continue
    label(buffer, labels[i]!)
    Labelled.of(buffer)!.sent = true
  }
}
