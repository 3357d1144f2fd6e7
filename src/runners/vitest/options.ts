/** The options for every test: those of `heddle({ … })`, then the section `test` of heddle.config, then the defaults. */
import { loadConfig, testConfigOver } from '../../config/config.ts'
import type { TestSettings as Written } from '../../options/settings.ts'
import type { TestSettings } from '../settings.ts'

export type HeddleOptions = Written

/** `update`: Vitest was told to update snapshots. */
export async function settingsFrom(options: HeddleOptions, root: string, update: boolean): Promise<TestSettings> {
  const place = { name: 'heddle() in the config of Vitest', folder: root }
  return { ...testConfigOver(await loadConfig(root), options, place), update }
}
