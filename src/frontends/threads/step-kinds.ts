/** From the words of steps to the numbers that a runtime has for them, and to the verbs of sentences. */

/** By word: the kind of record, and the verb. `any`: what the trace does not tell apart, or what only turns out after the gate. */
export type Steps<K extends string> = Readonly<Record<string, readonly [kind: K | 'any', verb: string]>>

export interface StepKinds {
  /** The kind of record that a word of a schedule stands for; 0 is any. */
  readonly kindOf: (word: string) => number
  readonly verbs: Readonly<Record<string, string>>
}

export const stepKinds = <K extends string>(kinds: Readonly<Record<K, number>>, steps: Steps<K>): StepKinds => ({
  kindOf(word) {
    const kind = Object.hasOwn(steps, word) ? steps[word]![0] : 'any'
    return kind === 'any' ? 0 : kinds[kind]
  },
  verbs: Object.fromEntries(Object.entries(steps).map(([word, [, verb]]) => [word, verb])),
})
