/** Ends when another page of the report is shown: listeners on the window are removed with the view they serve. */

let controller = new AbortController()

export const lifetime = (): AbortSignal => controller.signal

export function nextLifetime(): void {
  controller.abort()
  controller = new AbortController()
}
