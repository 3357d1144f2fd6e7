/** Which ops may have no target: a branch, a call or a post need not be named, an access or a lock operation must be. */
import { OPS } from './ops.ts'

export const targetOptional: readonly boolean[] = OPS.map((row) => row.target === 'name' || row.target === 'queue' || row.target === 'none')
