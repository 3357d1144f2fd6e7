// Two walk through one directory; the one that is usually last closes it.
import { opendir } from 'node:fs/promises'
// flags: --timers latency --max-findings 1 --confirm 1

const directory = await opendir('.')
setTimeout(() => directory.read().catch(() => {}), 5) // expect DirectoryUsedAfterClose
setTimeout(() => directory.close(), 40)
