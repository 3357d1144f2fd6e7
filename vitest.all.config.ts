/** All tests, at their full sizes. */
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const config = mergeConfig(usual, defineConfig({ test: { env: { HEDDLE_TESTS: 'all' } } }))
config.test!.exclude = configDefaults.exclude
export default config
