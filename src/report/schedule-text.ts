/** A schedule in words. Also part of the HTML report: nothing of Node here. */
import type { Instruction, Schedule } from '../runtime/js/protocol.ts'

/** A line for every instruction of a schedule, or for every stretch of a thread. */
export const scheduleLines = ({ instructions, steps }: Schedule): string[] =>
  steps?.map((step) => step.note) ?? instructions.map(instructionText)

/** What a replay does, in words. The note of an instruction says which operation is meant. */
function instructionText(step: Instruction): string {
  if (step.do === 'stall') return `stand still for ${step.ms} ms after: ${step.note}`
  if (step.do === 'waylay' && step.places) return step.note
  if (step.do === 'waylay') return `hold what is posted here until ${step.until.call} is called at ${step.until.at}: ${step.note}`
  return `hold the ${step.at === 'start' ? 'start' : 'end'} of: ${step.note}`
}
