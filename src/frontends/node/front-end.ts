/** The front end for Node programs. */
import type { FrontEnd } from '../contract.ts'
import { doctor } from './doctor.ts'
import { launchOf } from './launch.ts'
import { NAME, NodeProgram } from './program.ts'

export const nodeFrontEnd: FrontEnd = {
  name: NAME,
  recognise(command, all) {
    const launch = launchOf(command)
    return (
      launch &&
      new NodeProgram(
        launch,
        all.flatMap(({ children }) => children ?? []),
      )
    )
  },
  doctor,
}
