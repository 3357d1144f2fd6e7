/** The language's own objects. Heddle's code and Node's use them all the time, so nothing on them is replaced. */
let found: ReadonlySet<object> | undefined

export function intrinsics(): ReadonlySet<object> {
  return (found ??= find())
}

function find(): ReadonlySet<object> {
  const all = new Set<object>([Buffer, Buffer.prototype, globalThis])
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value: unknown = Object.getOwnPropertyDescriptor(globalThis, name)?.value
    if (typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === `[object ${name}]`) all.add(value)
    // Node's, although it is native code.
    if (typeof value !== 'function' || name === 'MessagePort' || !isNative(value)) continue
    all.add(value)
    const prototype: unknown = Object.getOwnPropertyDescriptor(value, 'prototype')?.value
    if (typeof prototype === 'object' && prototype !== null) all.add(prototype)
  }
  const unnamed: object[] = [[].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), new Uint8Array(0)]
  // oxlint-disable-next-line no-empty-function
  for (const made of [function* () {}, async function* () {}, async () => {}])
    unnamed.push(made, (made as { prototype?: object }).prototype ?? made)
  for (const object of unnamed) {
    for (
      let at: object | null = Object.getPrototypeOf(object) as object | null;
      at !== null;
      at = Object.getPrototypeOf(at) as object | null
    )
      all.add(at)
  }
  return all
}

const isNative = (made: object): boolean => /\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(made))
