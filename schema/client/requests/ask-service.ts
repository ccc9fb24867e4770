// SPDX-License-Identifier: MIT
import { OPERATIONS } from './operations.ts'
import { isRefusal, ServiceRefusal } from './service-refusal.ts'
import { sleep } from './sleep.ts'

/** How requests are sent. */
export interface Connection {
  /** Sent with every request; for a service behind a proxy, say. */
  headers?: Readonly<Record<string, string>>
  /** Another `fetch`, such as one over an anonymous network. */
  fetch?: typeof fetch
  /** Milliseconds for which a request is repeated where it may be; 8,000 unless given, 0 never repeats. */
  patienceMs?: number
  /** False sends no Idempotency-Keys; a request that changes something is then never repeated after a lost answer. */
  idempotencyKeys?: boolean
}

const PATIENCE_MS = 8_000
/** The pause before a request without an answer is sent again. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 250

/**
 * Sends one request by REST. A request that honours an Idempotency-Key gets one. It is sent again, with the same key, if
 * its answer is lost, or if the error declares that the same request may succeed after `Retry-After`.
 * @throws ServiceRefusal where the service refuses.
 */
export async function askService<Answer>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  { headers: always, patienceMs = PATIENCE_MS, ...connection }: Connection = {},
): Promise<Answer> {
  const send = connection.fetch ?? fetch
  const headers: Record<string, string> = { 'content-type': 'application/json', ...always }
  if (connection.idempotencyKeys !== false && honoursKey(method, path))
    headers['idempotency-key'] ??= crypto.randomUUID()
  const end = performance.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const isSafe = method === 'GET' || 'idempotency-key' in headers
    try {
      const answer = await send(`${url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (answer.ok) return (await answer.json()) as Answer
      throw new ServiceRefusal({
        request: `${method} ${path}`,
        status: answer.status,
        text: await answer.text(),
        retryAfterSeconds: secondsOf(answer.headers.get('retry-after')),
      })
    } catch (error) {
      // The error declares it: without a key, where none is needed.
      if (isRefusal(error, 'IDEMPOTENCY_KEYS_EXHAUSTED')) delete headers['idempotency-key']
      const waitMs = isRefusal(error, 'IDEMPOTENCY_KEYS_EXHAUSTED') ? 0 : pauseBefore(error, isSafe, pauseMs)
      if (waitMs === null || performance.now() + waitMs > end) throw error
      await sleep(waitMs)
    }
  }
}

/** Milliseconds until the same request may be sent again; null where it may not. */
function pauseBefore(error: unknown, isSafe: boolean, pauseMs: number): number | null {
  if (!(error instanceof ServiceRefusal)) return isSafe && isLost(error) ? pauseMs : null
  const { status, retry, retryAfterSeconds } = error
  if (retry !== 'later' || retryAfterSeconds === null) return null
  // The limit is checked first: a request that exceeds it has done nothing.
  return isSafe || status === 429 ? retryAfterSeconds * 1_000 : null
}

/** `fetch` throws a TypeError where the connection ends without an answer. */
const isLost = (error: unknown) => error instanceof TypeError

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null
}

let keyed: { method: string; pattern: RegExp }[] | undefined

function honoursKey(method: string, path: string): boolean {
  keyed ??= Object.values(OPERATIONS).flatMap(([verb, template, isKeyed]) =>
    isKeyed ? [{ method: verb, pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }] : [],
  )
  const [bare = ''] = path.split('?')
  return keyed.some((one) => one.method === method && one.pattern.test(bare))
}
