type AnyFunction = (...args: never[]) => unknown

/** Replaces a function, keeping its name, length and how it is listed. */
export function replace(target: object, name: string, value: AnyFunction): void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  const original = Reflect.get(target, name) as AnyFunction
  Object.defineProperty(value, 'name', { value: original.name, configurable: true })
  Object.defineProperty(value, 'length', { value: original.length, configurable: true })
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: before?.enumerable ?? true })
}
