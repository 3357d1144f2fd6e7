/** The result of each instruction, in the order it happened. The session writes it into the report. */
import type { ReplayNote } from '../../../schedule/schedule.ts'

export const notes: ReplayNote[] = []

/** Instructions are numbered as in the schedule, from 0. */
export const note = (entry: ReplayNote): void => {
  notes.push(entry)
}
