/** For `heddle open`: a strip with the progress of a running check, and new findings as they come. A report opened from disk has no strip. */
import type { LiveEvent } from '../../../progress.ts'
import type { CheckDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { h } from './element.ts'

export function live(onFindings: (document: CheckDocument) => void): HTMLElement | undefined {
  const path = document.documentElement.dataset['live']
  if (path === undefined) return undefined
  const strip = h('div', { class: 'live', role: 'status', hidden: true })
  const say = (text: string): void => {
    strip.hidden = text === ''
    strip.textContent = text
  }
  const stream = new EventSource(path)
  stream.onmessage = ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as LiveEvent
    if (event.type === 'findings') void load()
    else if (event.type === 'progress') say(progressText(event))
  }
  stream.onerror = () => say(stream.readyState === EventSource.CLOSED ? 'heddle open has ended: this page shows what there was.' : '')
  async function load(): Promise<void> {
    try {
      const answer = await fetch(new URL('findings.json', new URL(path!, location.href)))
      if (answer.ok) onFindings((await answer.json()) as CheckDocument)
    } catch {
      say('New findings could not be read. Reload the page.')
    }
  }
  return strip
}

function progressText(event: Extract<LiveEvent, { type: 'progress' }>): string {
  const { phase, text, replays, mostReplays, failed } = event
  if (phase === 'done') return ''
  const counts = replays > 0 ? `; ${mostReplays} at most, ${failed} failed` : ''
  return printable(`A check is running: ${phase} (${text}${counts})`)
}
