/** The tests of `npm test`; vitest.all.config.ts has those of `npm run test:all`. */
import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.all.test.ts'],
    // For a busy machine. What hangs has an end of its own.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    globalSetup: 'test/servers/global.ts',
    pool: 'forks',
    // More than cores: tests of programs wait a good part of their time.
    maxWorkers: 3,
  },
})
