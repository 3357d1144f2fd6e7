/**
 * The text of a source file that a site names. Sites may come from a file that somebody else wrote, and the text ends up in reports. So outside the
 * folder of the check only files with the extension of a source file are read.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside } from './real-place.ts'

const LARGEST = 4 << 20
const IS_SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|c|h|cc|cpp|cxx|c\+\+|hh|hpp|hxx|inc|ipp|tcc|s|java|kt|scala|groovy)$/i

/** Undefined where it is gone, too large, not a source, or never was a file. */
export function sourceText(file: string, root: string): string | undefined {
  try {
    // A link that is called like a source need not lead to one.
    const path = realpathSync(resolve(root, file))
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > LARGEST) return undefined
    return IS_SOURCE.test(path) || isInside(path, root) ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}
