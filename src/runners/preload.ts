/**
 * Preloaded (`node --import`) into every process below `heddle test`: waits for the runtime, and if it records tests, installs the adapters of the
 * runners. In all other processes it does nothing.
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
