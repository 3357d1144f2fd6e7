/** Which reads keep what they saw: see docs/model.md, "What a read must see". */
export type Model = 'sync' | 'data' | 'maximal'

export const MODELS: readonly Model[] = ['sync', 'data', 'maximal']
