/** A schedule in words. Also part of the HTML report, so it uses nothing of Node. */
import { instructionsOf, type Delay, type PlaceHold, type Schedule, type ThreadStep } from '../schedule/schedule.ts'

/** A line for every instruction of a schedule, or for every stretch of a thread. */
export const scheduleLines = (schedule: Schedule): string[] => instructionsOf(schedule).map(instructionText)

/** What a replay does, in words. The note of an instruction says which operation is meant. */
function instructionText(step: Delay | ThreadStep | PlaceHold): string {
  if (!('do' in step)) return step.note
  if (step.do === 'stall') return `pause the program for ${step.ms} ms after ${step.note}`
  if (step.do === 'waylay') return `delay what is posted here until ${step.until.call} is called at ${step.until.at}: ${step.note}`
  return `delay the ${step.at === 'start' ? 'start' : 'end'} of ${step.note}`
}
