// SPDX-License-Identifier: MIT

/** Waits for some milliseconds, or less if the signal is aborted. @throws The reason of the abort. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
  })
}
