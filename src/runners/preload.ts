/**
 * Preloaded (`node --import`) into every process that `heddle test` leads to: waits for the runtime, and if that is there for tests, gets ready for the
 * runners that may come up in this process. In all others it does nothing.
 */
import '../runtime/js/register.ts'
import { installJest } from './jest/install.ts'
import { installNodeTest } from './node-test/install.ts'
import { testSessions } from './sessions.ts'

const sessions = testSessions()
if (sessions !== undefined) {
  installNodeTest(sessions)
  installJest(sessions)
}
