import { trustScript } from '../trust-script.ts'

/** Has the page and what it has loaded kept for a time without connection. A browser that cannot is none the worse. */
export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(trustScript('/wallet/service-worker.js'), { scope: '/wallet' })
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const own = loaded.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  active?.postMessage([...new Set(own)])
}
