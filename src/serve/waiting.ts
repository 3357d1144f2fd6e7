/** The page of `heddle open` before there is a report: it says so, shows the progress of a running check, and is replaced by the report. */
import { createHash } from 'node:crypto'

const SCRIPT = `const line = document.getElementById('line')
new EventSource('progress').onmessage = ({ data }) => {
  const event = JSON.parse(data)
  if (event.type === 'findings') location.reload()
  else line.textContent = event.phase !== 'done' ? 'A check is running: ' + event.text : 'Run heddle check: the report will appear here.'
}`

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 20vh auto 0; padding: 0 1rem }`

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** `why`: why there is none, a sentence. */
export const waitingPage = (why: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Heddle</title>
<style>${STYLE}</style>
</head>
<body>
<h1>No report yet</h1>
<p>${escaped(why)}</p>
<p id="line" role="status"></p>
<script>${SCRIPT}</script>
</body>
</html>
`

const escaped = (text: string): string => text.replaceAll(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
