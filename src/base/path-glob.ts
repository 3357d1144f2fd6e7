/** Patterns of paths, as people write them in options: parts of a path, `*` for anything but a slash, `**` for anything. */

/** A pattern matches whole parts of a path: `lib` matches /a/lib/b.js but not /a/library/b.js. */
export function toPattern(glob: string): RegExp {
  const body = glob
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part.startsWith('**')) return part.endsWith('/') ? '(?:.*/)?' : '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
  return new RegExp(glob.startsWith('/') ? `^${body}(?:/|$)` : `(?:^|/)${body}(?:/|$)`)
}
