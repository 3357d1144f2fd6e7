/**
 * The bugs: published packages whose one version has a concurrency bug that a later one does not. The driver of a case is
 * cases/NAME.cjs; it passes nearly always as it is, and fails when told to force the bad order.
 */
export interface BugCase {
  readonly name: string
  /** Package and versions; `buggy` and `fixed` are the names under which they are installed. */
  readonly package: string
  readonly buggy: string
  readonly fixed: string
  readonly also?: Readonly<Record<string, string>>
  /** The driver stands in for a server with a timer, which may take any time. */
  readonly timers?: 'latency'
  /** The property of the library that a failing replay violates. */
  readonly property?: string
  /** Heddle does not find it today, and why. The test asserts exactly that. */
  readonly missed?: string
}

/** Those of the issue, eleven of ../shared/corpus/js. */
export const CORPUS: readonly BugCase[] = [
  { name: 'mkdirp', package: 'mkdirp', buggy: '0.0.2', fixed: '0.0.6', property: 'PathCheckThenAct' },
  { name: 'lockfile', package: 'lockfile', buggy: '0.4.2', fixed: '0.4.3', property: 'PathCheckThenAct' },
  {
    name: 'get-port',
    package: 'get-port',
    buggy: '5.0.0',
    fixed: '5.1.0',
    // Probe, close and listen are one turn of the loop: only the package's answer can come late.
    timers: 'latency',
    property: 'PortCheckThenAct',
  },
  { name: 'levelup', package: 'levelup', buggy: '0.18.3', fixed: '0.18.4', also: { memdown: '1.4.1' }, property: 'StreamUsedBeforeOpen' },
  { name: 'pg-pool', package: 'pg-pool', buggy: '3.10.0', fixed: '3.10.1', property: 'PoolEndsBeforeAnswer' },
  { name: 'cache-manager', package: 'cache-manager', buggy: '5.2.4', fixed: '5.3.1', timers: 'latency' },
  { name: 'simplecrawler', package: 'simplecrawler', buggy: '0.7.0', fixed: '1.0.0' },
  { name: 'write-file-atomic', package: 'write-file-atomic', buggy: '2.1.0', fixed: '2.3.0' },
  { name: 'ratelimiter', package: 'ratelimiter', buggy: '1.0.2', fixed: '1.0.3' },
  { name: 'agentkeepalive', package: 'agentkeepalive', buggy: '2.0.0', fixed: '2.0.2', property: 'RequestOnDestroyedSocket' },
  { name: 'undici', package: 'undici', buggy: '7.20.0', fixed: '7.21.0', property: 'DispatcherClosedAfterDestroy' },
]

/** More of the same classes, from the histories of other packages. */
export const FURTHER: readonly BugCase[] = [
  { name: 'mkpath', package: 'mkpath', buggy: '0.1.0', fixed: '1.0.0' },
  { name: 'async-memoize', package: 'async', buggy: '0.1.11', fixed: '0.1.12' },
  { name: 'fs-extra', package: 'fs-extra', buggy: '8.1.0', fixed: '9.0.0' },
  { name: 'node-persist', package: 'node-persist', buggy: '3.1.0', fixed: '3.1.2' },
  { name: 'tarn', package: 'tarn', buggy: '1.1.5', fixed: '2.0.0' },
]
