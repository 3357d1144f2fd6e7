/**
 * Replaces a function so that the program sees no difference: same name, length, own properties and kind of property. Properties that the replacement
 * already has stay.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyFunction = (this: any, ...args: any[]) => any

export function dress(replacement: AnyFunction, original: AnyFunction): AnyFunction {
  for (const key of Reflect.ownKeys(original)) {
    if (key !== 'name' && key !== 'length' && Object.hasOwn(replacement, key)) continue
    Object.defineProperty(replacement, key, Object.getOwnPropertyDescriptor(original, key)!)
  }
  return replacement
}

/** Replaces `owner[name]`, if it is a function there. */
export function replaceMethod(owner: object, name: string, make: (original: AnyFunction) => AnyFunction): void {
  const property = Object.getOwnPropertyDescriptor(owner, name)
  const original: unknown = property?.value ?? property?.get?.call(owner)
  if (typeof original !== 'function' || property === undefined || !property.configurable) return
  const value = dress(make(original as AnyFunction), original as AnyFunction)
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: property.enumerable ?? true })
}
