/** Vitest runs tests in processes of its own: they are measured test by test, by the plugin. The benchmark says where Heddle is, and how often a test is run again. */
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'

const { HEDDLE_PLUGIN, HEDDLE_REPLAYS = '1', HEDDLE_TIME = '60' } = process.env
const plugins = []
if (HEDDLE_PLUGIN !== undefined) {
  const { default: heddle } = await import(pathToFileURL(HEDDLE_PLUGIN).href)
  plugins.push(heddle({ replays: Number(HEDDLE_REPLAYS), time: Number(HEDDLE_TIME), budget: '30m', whyVaries: true }))
}
export default defineConfig({ plugins, test: { include: ['*.vitest.mjs'], testTimeout: 60_000, fileParallelism: false } })
