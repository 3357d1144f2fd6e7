/** Source lines that are stored in a document. Also part of the HTML report, so it uses nothing of Node. */
import type { CheckDocument } from './document.ts'
import type { SitePlace } from '../trace/site.ts'

/** A line of the excerpts; empty for what is not in them. */
export const lineIn =
  ({ sources }: Pick<CheckDocument, 'sources'>) =>
  ({ file, line }: SitePlace): string => {
    for (const { from, lines } of (Object.hasOwn(sources, file) ? sources[file] : undefined) ?? [])
      if (line >= from && line < from + lines.length) return lines[line - from]!
    return ''
  }
