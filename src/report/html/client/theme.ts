/** Light or dark: the setting of the system, until the reader chooses. */
import { h } from './element.ts'

const KEY = 'heddle-theme'

/** Storage is out of reach in some browsers when a report is opened from disk. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

const dark = (): boolean => {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
}

export function applyTheme(): void {
  const chosen = stored()
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset['theme'] = chosen
}

export function themeSwitch(): HTMLElement {
  const text = (): string => (dark() ? 'Light' : 'Dark')
  const button = h('button', { type: 'button', class: 'theme', title: 'Light or dark (t)', click: toggle }, text())
  function toggle(): void {
    const next = dark() ? 'light' : 'dark'
    document.documentElement.dataset['theme'] = next
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Then the choice holds for this page only.
    }
    button.textContent = text()
  }
  return button
}
