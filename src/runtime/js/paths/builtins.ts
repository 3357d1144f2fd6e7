/** Objects of the language and of Node whose properties programs do not write. Reads of them are not inputs. */
import { types } from 'node:util'

const known = new WeakSet<object>()

function add(value: unknown): void {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') known.add(value)
}

/** Call before the program's first line. */
export function noteBuiltins(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value: unknown = Object.getOwnPropertyDescriptor(globalThis, name)?.value
    // The global object itself is where some programs keep what they share.
    if (value !== globalThis) add(value)
    if (typeof value === 'function') add(Object.getOwnPropertyDescriptor(value, 'prototype')?.value)
  }
  // These two are behind getters.
  add(process)
  add(console)
  add(process.env)
}

export const isBuiltin = (object: object): boolean => known.has(object) || types.isModuleNamespaceObject(object)
