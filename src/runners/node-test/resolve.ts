/** An import of `node:test` gets module.cts; only module.cts gets the real one. On Node 20 this runs in the loader's thread. */
export interface ResolveContext {
  readonly parentURL?: string | undefined
}

export const OURS = new URL('./module.cjs', import.meta.url).href

export const isForUs = (specifier: string, { parentURL }: ResolveContext): boolean => specifier === 'node:test' && parentURL !== OURS

export async function resolve(
  specifier: string,
  context: ResolveContext,
  nextResolve: (specifier: string, context: ResolveContext) => unknown,
): Promise<unknown> {
  return isForUs(specifier, context) ? { url: OURS, format: 'commonjs', shortCircuit: true } : nextResolve(specifier, context)
}
