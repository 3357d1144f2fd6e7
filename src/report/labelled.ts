/** The readable name of a finding: `check-then-act`. A property that ships with Heddle has a name in words; one that a user wrote has the user's name. */
import { libraryDeclarations } from '../property/library.ts'
import { labelOf } from './labels.ts'

export function labelled<T extends { readonly kind: string; readonly pattern: string; readonly label?: string }>(
  finding: T,
): T & { readonly label: string } {
  return { ...finding, label: labelFor(finding.kind, finding.pattern) }
}

export function labelFor(kind: string, pattern: string): string {
  if ((kind !== 'property' && kind !== 'typestate') || pattern === '') return labelOf(kind, pattern)
  return libraryDeclarations().some(({ name }) => name === pattern) ? inWords(pattern) : pattern
}

/** `DescriptorUsedAfterClose` is `descriptor used after close`. */
const inWords = (name: string): string =>
  name.endsWith('CheckThenAct') ? 'check-then-act' : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
