/** How busy the machine is. What takes real time is given more of it there. */
import { availableParallelism, loadavg } from 'node:os'

/** More is not waited for. */
const MOST = 3

/** How many times as long as on a quiet machine a program takes, about: from 1 to 3. */
export const busyness = (): number => Math.min(MOST, Math.max(1, loadavg()[0]! / availableParallelism()))

export const isMachineBusy = (): boolean => busyness() > 1
