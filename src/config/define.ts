/**
 * `heddle/config`, for configuration files. It imports nothing, because they are read before every command, on older versions of Node through a
 * loader.
 */
import type { Config } from '../options/settings.ts'

export type { CheckSettings, Config, RecordSettings, TestSettings } from '../options/settings.ts'

/** Gives an editor the names and types of the options; returns what it is given. */
export const defineConfig = (config: Config): Config => config
