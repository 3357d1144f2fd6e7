/** Opens a URL in the user's browser. A missing browser is not an error: the URL is printed as well. */
import { spawn } from 'node:child_process'

export function hasBrowser(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']) && !env['CI']
}

export function showInBrowser(address: string, platform: NodeJS.Platform): void {
  const [file, args]: readonly [string, readonly string[]] =
    platform === 'darwin'
      ? ['open', [address]]
      : platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', address]]
        : ['xdg-open', [address]]
  const child = spawn(file, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
