/** Node's APIs as operations and accesses of resources. Call before turns are recorded, for the order of listeners. */
import type { Session } from '../session.ts'
import { wrapClose } from './close.ts'
import { hideOwnFolder, sortDirectories } from './directories.ts'
import { wrapFs } from './fs.ts'
import { wrapHttp } from './http.ts'
import { wrapHttp2 } from './http2.ts'
import { watchConnects, wrapNet } from './net.ts'
import { wrapJoins } from './joins.ts'
import { startOperations } from './operation.ts'
import { writeAtOnce } from './stdio.ts'
import { startTouching } from './touch.ts'
import { wrapWasm } from './wasm.ts'
import { wrapZlib } from './zlib.ts'

export function wrapResources(session: Session): void {
  startOperations(session)
  startTouching(session)
  watchConnects(session)
  hideOwnFolder(session.config.root)
  wrapFs()
  sortDirectories()
  wrapNet()
  writeAtOnce()
  wrapHttp(session)
  wrapHttp2()
  wrapZlib()
  wrapWasm()
  wrapClose()
  if (session.config.mode === 'record') wrapJoins()
}
