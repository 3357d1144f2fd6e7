/** Published packages that ship their tests: run as they are, with the runner they were written for. */
export interface Suite {
  readonly package: string
  readonly version: string
  /** What the tests need beside the package's own dependencies. */
  readonly needs: Readonly<Record<string, string>>
  /** Test files, inside the package. */
  readonly files: readonly string[]
}

const TAPE = { tape: '5.7.5' }

export const SUITES: readonly Suite[] = [
  { package: 'fastq', version: '1.17.1', needs: TAPE, files: ['test/test.js', 'test/promise.js'] },
  { package: 'duplexify', version: '4.1.2', needs: { ...TAPE, through2: '2.0.5', 'concat-stream': '1.6.2' }, files: ['test.js'] },
  { package: 'steed', version: '1.1.3', needs: TAPE, files: ['test.js'] },
  { package: 'bl', version: '5.1.0', needs: TAPE, files: ['test/test.js'] },
]
