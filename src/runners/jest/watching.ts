/** Jest's watch mode would take the files that Heddle writes beside the tests for changes of the project, and run the tests again in an endless loop. */

const OURS = String.raw`[\\/](?:\.heddle|__schedules__)[\\/]`

interface HasteMap {
  create(options: { readonly ignorePattern?: RegExp }): unknown
}

/** What the module jest-haste-map exports: changed in place. */
export function leaveOurFilesOut(found: unknown): void {
  const map = (found as { readonly default?: Partial<HasteMap> } | undefined)?.default
  if (typeof map?.create !== 'function' || known.has(map)) return
  known.add(map)
  const { create } = map
  map.create = function (options) {
    const { ignorePattern: theirs } = options
    return create.call(this as HasteMap, {
      ...options,
      ignorePattern: theirs === undefined ? new RegExp(OURS) : new RegExp(`${theirs.source}|${OURS}`, theirs.flags),
    })
  }
}

const known = new WeakSet<object>()
