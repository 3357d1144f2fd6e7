/** The examples with threads in the documents. Which thread comes first, and how often there is time to replay, differs from run to run. */
import { expect, test } from 'vitest'
import { follow, read, snippets, steady, withExamples, WITH_THREADS } from './snippets.ts'

const plain = (text: string): string =>
  steady(text)
    .replaceAll(/\b([Tt]hread|[Ww]orker) \d+/g, '$1 N')
    .replaceAll(/\d+ of \d+ replays/g, 'N of N replays')
    .replaceAll(/ {2,}/g, ' ')

test.each(WITH_THREADS)('the commands of %s print what the page shows', (page) => {
  const folder = withExamples()
  const all = snippets(read(page))
  expect(all.length).toBeGreaterThan(0)
  for (const snippet of all) follow(folder, snippet, plain)
})
