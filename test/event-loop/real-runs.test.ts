/** Random programs on real Node, with the loop made late at random: the checker accepts the order of every one of their runs. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { checkRun } from '../../src/witness/loop/check.ts'
import { LoopTrace } from '../loop/loop-trace.ts'

const NODE = process.env.HEDDLE_TEST_NODE ?? process.execPath
const FIXTURE = fileURLToPath(new URL('fixture.cjs', import.meta.url))

/** The body of a callback: some posts, each with a body of its own, and standing still now and then. */
function body(random: Random, depth: number, name: () => string): string {
  let text = ''
  for (let n = random.below(depth === 0 ? 6 : 3); n >= 0; n--) {
    const inner = depth < 3 ? `() => { ${body(random, depth + 1, name)} }` : 'undefined'
    const kind = random.below(6)
    if (kind < 2) text += `timer('${name()}', ${random.below(2) ? 1 + random.below(4) : 5 + random.below(9)}, ${inner});`
    else if (kind === 2) text += `immediate('${name()}', ${inner});`
    else if (kind === 3) text += `io('${name()}', ${inner});`
    else if (kind === 4) text += `close('${name()}', ${inner});`
    else text += `busy(${random.below(80) / 10});`
  }
  return text
}

interface Event {
  readonly post?: string
  readonly queue?: string
  readonly turn?: string
  readonly at?: number
}

function traceOf(events: readonly Event[]): LoopView {
  const trace = new LoopTrace()
  for (const event of events) {
    if (event.post) trace.post(event.post, event.queue!)
    else trace.turn(event.turn!, event.at!)
  }
  return new LoopView(trace.finish())
}

test.each([1, 2, 3, 4])(
  'observed orders are accepted, seed %i',
  async (seed) => {
    const random = new Random(seed)
    let program = `const { timer, immediate, io, close, busy, recorded } = require(${JSON.stringify(FIXTURE)});(async () => {`
    for (let i = 0; i < 40; i++) {
      let n = 0
      // A script begins like a callback of the close phase, a module like one of the poll phase.
      const from = ['poll', 'close'][random.below(2)]
      program += `await recorded('${from}', () => { ${body(random, 0, () => `p${n++}`)} });\n`
    }
    const { stdout } = await promisify(execFile)(NODE, ['--no-deprecation', '-e', `${program}})()`], {
      timeout: 300_000,
      maxBuffer: 2 ** 26,
    })
    const runs = stdout.trim().split('\n')
    expect(runs.length).toBe(40)
    for (const line of runs) {
      const view = traceOf(JSON.parse(line) as Event[])
      expect({ broken: checkRun(view, 'due'), line }).toEqual({ broken: undefined, line })
    }
  },
  60_000,
)
