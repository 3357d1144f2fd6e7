/** A folder for a run of a check, with its progress in a file while it runs. */
import type { OnProgress } from '../progress.ts'
import { ProgressFile } from './progress-file.ts'
import { finish, type Store } from './store.ts'

export async function inNewRun<T>(
  store: Store,
  tell: OnProgress,
  work: (folder: string, onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const folder = store.newRun()
  const shown = new ProgressFile(store.folder)
  try {
    return await work(folder, (progress) => {
      shown.tell(progress)
      tell(progress)
    })
  } finally {
    shown.end()
    finish(folder)
  }
}
