/** Objects of the engine that Node does not export but gives access to. */
export function engine(name: string): unknown {
  const silent = process.noDeprecation
  try {
    // A warning that some flags turn on would be on the program's stderr.
    process.noDeprecation = true
    return (process as unknown as { binding(name: string): unknown }).binding(name)
  } catch {
    return undefined
  } finally {
    if (silent === undefined) delete (process as { noDeprecation?: boolean }).noDeprecation
    else process.noDeprecation = silent
  }
}
