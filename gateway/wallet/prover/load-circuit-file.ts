import { isPinnedFile, type PinnedFile } from 'stealth-relay/client/pool'

/** Why a circuit's file cannot be had: the service did not send it, or sent another one. */
export class CircuitFileProblem extends Error {
  override name = 'CircuitFileProblem'
  readonly kind: 'lost' | 'altered'
  constructor(kind: 'lost' | 'altered') {
    super(`a circuit file is ${kind}`)
    this.kind = kind
  }
}

const CACHE = 'circuits'

/**
 * Loads a file of a circuit from this browser's cache, or else from the service.
 * @param report Called with the number of bytes that arrived since the last call.
 * @throws CircuitFileProblem where it does not arrive, or has another hash.
 */
export async function loadCircuitFile(
  file: PinnedFile,
  report: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const url = `/wallet/circuits/${file.name}?${file.sha256.slice(0, 16)}`
  // A browser that keeps nothing for the page, as in some private windows, loads the file each time.
  const cache = await caches.open(CACHE).catch(() => null)
  const kept = await cache?.match(url)
  if (kept) {
    const content = new Uint8Array(await kept.arrayBuffer())
    if (await isPinnedFile(content, file)) {
      report(content.length)
      return content
    }
  }
  const content = await download(url, file, report)
  if (!(await isPinnedFile(content, file))) throw new CircuitFileProblem('altered')
  await cache?.put(url, new Response(content)).catch(() => undefined)
  return content
}

async function download(
  url: string,
  { bytes }: PinnedFile,
  report: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // The cache above is the one place where the file stays.
    const answer = await fetch(url, { cache: 'no-store' })
    if (!answer.ok || !answer.body) throw new CircuitFileProblem('lost')
    const content = new Uint8Array(bytes)
    const reader = answer.body.getReader()
    let place = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return content.subarray(0, place)
      if (place + value.length > bytes) throw new CircuitFileProblem('altered')
      content.set(value, place)
      place += value.length
      report(value.length)
    }
  } catch (error) {
    throw error instanceof CircuitFileProblem ? error : new CircuitFileProblem('lost')
  }
}
