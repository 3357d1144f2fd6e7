/**
 * `node:test` with the functions of its users wrapped, and everything else unchanged. A file gets it when it imports or requires `node:test`
 * (install.ts, module.cts).
 */
import type { SourcePlace } from '../../trace/site.ts'
import type { TestSessions } from '../contract.ts'
import { leaveChildrenAlone } from '../preloading.ts'
import { runAgain } from './again.ts'
import { callAt, placeAbove } from './place.ts'
import { alike, Unit, type Body, type TestContext } from './unit.ts'

type Anything = (...args: unknown[]) => unknown
export type NodeTest = Anything & Readonly<Record<string, unknown>>

/** Suites get this time-out: the analysis of their tests must not count. Their own goes to each of their tests. */
const NO_TIME_OUT = 2 ** 31 - 1
const VARIANTS = ['only', 'todo', 'expectFailure']

/** There is one `node:test` in a process, and one of this. */
let wrapped: NodeTest | undefined
export function wrapNodeTest(real: NodeTest, sessions: TestSessions): NodeTest {
  return (wrapped ??= new Wrapping(real, sessions).whole())
}

class Wrapping {
  private readonly units = new WeakMap<TestContext, Unit>()
  private readonly open = new Set<Unit>()
  private readonly seen = new Map<string, number>()
  /** That of the suite whose function runs. */
  private timeout: unknown = timeoutFlag()

  constructor(
    private readonly real: NodeTest,
    private readonly sessions: TestSessions,
  ) {}

  whole(): NodeTest {
    const { real } = this
    const test = this.test(real)
    const suite = this.suite(real['suite'] as Anything)
    for (const [name, variant] of this.variants(real)) Object.defineProperty(test, name, { value: this.test(variant) })
    for (const [name, variant] of this.variants(real['suite'] as NodeTest))
      Object.defineProperty(suite, name, { value: this.suite(variant) })
    const replaced: Record<string, unknown> = {
      test,
      it: test,
      suite,
      describe: suite,
      before: this.hook(real['before'] as Anything, (body) => this.setup(body)),
      beforeEach: this.hook(real['beforeEach'] as Anything, (body) => this.part(body)),
      afterEach: this.hook(real['afterEach'] as Anything, (body) => this.part(body)),
    }
    copyRest(suite, real['suite'] as NodeTest, {})
    copyRest(test, real, replaced)
    return test as NodeTest
  }

  private variants(of: NodeTest): [string, Anything][] {
    return VARIANTS.filter((name) => typeof of[name] === 'function').map((name) => [name, of[name] as Anything])
  }

  private test(real: Anything): Anything {
    const test = (...args: unknown[]): unknown => {
      const place = placeAbove(test)
      const given = this.arguments(args, this.timeout, (body) => this.part(body, place))
      return callAt(place, real, given)
    }
    return alike(test, real)
  }

  private suite(real: Anything): Anything {
    const suite = (...args: unknown[]): unknown => {
      const outer = this.timeout
      const own = optionsOf(args)?.['timeout']
      const collect = (body: Body): Body => {
        const collecting: Body = (...given) => {
          const before = this.timeout
          this.timeout = own ?? outer
          try {
            return Reflect.apply(body, given[0], given)
          } finally {
            this.timeout = before
          }
        }
        return alike(collecting, body)
      }
      return callAt(placeAbove(suite), real, this.arguments(args, NO_TIME_OUT, collect, true))
    }
    return alike(suite, real)
  }

  private hook(real: Anything, wrap: (body: Body) => Body): Anything {
    const hook = (...args: unknown[]): unknown =>
      callAt(placeAbove(hook), real, typeof args[0] === 'function' ? [wrap(args[0] as Body), ...args.slice(1)] : args)
    return alike(hook, real)
  }

  /** (name?, options?, function?), told apart as Node does. */
  private arguments(args: readonly unknown[], timeout: unknown, wrap: (body: Body) => Body, always = false): unknown[] {
    const at =
      typeof args[0] === 'function' ? 0 : (typeof args[0] === 'object' && args[0] !== null) || typeof args[1] === 'function' ? 1 : 2
    const body = args[at]
    if (typeof body !== 'function') return [...args]
    const options = optionsOf(args) ?? {}
    const withTimeout = timeout !== undefined && (always || options['timeout'] === undefined) ? { ...options, timeout } : options
    const name = typeof args[0] === 'string' ? [args[0]] : []
    return [...name, withTimeout, wrap(body as Body)]
  }

  private part(body: Body, place?: SourcePlace): Body {
    const unitOf = (context: TestContext): Unit | undefined => this.unitOf(context)
    return alike(
      function (this: unknown, context: TestContext, done?) {
        const unit = unitOf(context)
        return unit === undefined
          ? Reflect.apply(body, this, [context, ...(done ? [done] : [])])
          : unit.run(body, this, context, done, place)
      } satisfies Body,
      body,
    )
  }

  /** A `before` hook. Those that somebody calls inside a test are part of it already. */
  private setup(body: Body): Body {
    const { sessions, open } = this
    if (body.length > 1) return body
    return alike(
      function (this: unknown, context: TestContext) {
        return open.size > 0 ? body.call(this, context) : sessions.setup(() => body.call(this, context))
      } satisfies Body,
      body,
    )
  }

  private unitOf(context: TestContext): Unit | undefined {
    const known = this.units.get(context)
    if (known !== undefined) return known
    const name = nameOf(context)
    if (name === undefined) return undefined
    for (const outer of this.open) if (name.startsWith(`${outer.name} > `)) return outer
    const unit = this.begin(context, name)
    this.units.set(context, unit)
    this.open.add(unit)
    return unit
  }

  private begin(context: TestContext, name: string): Unit {
    const nth = (this.seen.get(name) ?? 0) + 1
    this.seen.set(name, nth)
    const file = process.argv[1] ?? ''
    const again = runAgain(file)
    leaveChildrenAlone()
    const { only, mode } = this.sessions
    const skips = mode === 'replay' && only !== undefined && (only.name !== name || (only.nth ?? 1) !== nth)
    const session = skips ? undefined : this.sessions.begin({ file, name, nth }, again)
    return new Unit(context, name, session, skips, (unit) => this.open.delete(unit))
  }
}

function optionsOf(args: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const options = args.slice(0, 2).find((arg) => typeof arg === 'object' && arg !== null)
  return options as Readonly<Record<string, unknown>> | undefined
}

/** The root test has none, and says so with an error on Node 20. */
function nameOf(context: TestContext): string | undefined {
  try {
    return context.fullName
  } catch {
    return undefined
  }
}

function timeoutFlag(): number | undefined {
  const flag = process.execArgv.find((word) => word.startsWith('--test-timeout='))
  return flag === undefined ? undefined : Number(flag.slice('--test-timeout='.length)) || undefined
}

/** Everything that is not there yet, asked of the real one when it is asked for: some of it is loaded late. */
function copyRest(to: Anything, from: NodeTest, replaced: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(from)) {
    if (Object.hasOwn(to, name)) continue
    Object.defineProperty(
      to,
      name,
      name in replaced
        ? { value: replaced[name], enumerable: true, configurable: true, writable: true }
        : { get: () => from[name], enumerable: true, configurable: true },
    )
  }
}
