import { setTimeout as sleep } from 'node:timers/promises'
import { readBounded } from '../../../../proving/rpc/read-bounded.ts'
import type { CoingeckoConfig } from '../config.ts'

/** The list of all coins with their contracts has about 6 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const MAX_PAUSE_MS = 600_000
const FIRST_PAUSE_MS = 5_000

/** The provider gave no usable answer. The message contains neither the key nor the requested URL. */
export class ProviderError extends Error {
  override name = 'ProviderError'
}

/**
 * Sends a request to the provider, one after another and within the rate limit. Null is a 404. Numbers in the answer
 * are strings.
 *
 * @throws ProviderError if it fails, is too slow, answers too much, or has asked for a pause.
 */
export type AskCoingecko = (
  path: string,
  params?: Readonly<Record<string, string>>,
  /**
   * Fails at once if more requests than this are waiting. For requests that a client waits for or could repeat
   * without end.
   */
  mostWaiting?: number,
) => Promise<unknown>

/** Creates a client of the provider. @param signal Aborts all requests and rejects later ones. */
export function createCoingeckoClient(config: CoingeckoConfig, signal?: AbortSignal): AskCoingecko {
  const { url, apiKey, apiKeyHeader, timeoutMs } = config
  const spacingMs = 60_000 / config.requestsPerMinute
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let lastAt = 0
  let pausedUntil = 0
  let pauseMs = FIRST_PAUSE_MS

  function pause(retryAfter: string | null): void {
    const asked = Number(retryAfter) * 1_000
    const wait = Number.isFinite(asked) && asked > 0 ? asked : pauseMs
    pausedUntil = Date.now() + Math.min(wait, MAX_PAUSE_MS)
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }

  async function request(path: string, params: Readonly<Record<string, string>>): Promise<unknown> {
    if (signal?.aborted) throw new ProviderError('coingecko is not asked any more')
    if (Date.now() < pausedUntil) throw new ProviderError('coingecko has asked for a pause')
    const wait = lastAt + spacingMs - Date.now()
    if (wait > 0)
      await sleep(wait, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
    lastAt = Date.now()
    const query = new URLSearchParams(params).toString()
    const address = `${url.replace(/\/+$/, '')}${path}${query && `?${query}`}`
    const headers = { accept: 'application/json', ...(apiKey && { [apiKeyHeader]: apiKey }) }
    const limit = AbortSignal.timeout(timeoutMs)
    const patience = signal ? AbortSignal.any([limit, signal]) : limit
    try {
      const response = await fetch(address, { headers, redirect: 'error', signal: patience })
      if (response.status === 429 || response.status >= 500) pause(response.headers.get('retry-after'))
      if (response.status === 404) return null
      if (!response.ok) throw new ProviderError(`coingecko answered ${response.status}`)
      const text = await readBounded(response, MAX_ANSWER_BYTES)
      if (text === null) throw new ProviderError(`coingecko answered more than ${MAX_ANSWER_BYTES} bytes`)
      const answer = parseExactJson(text)
      pauseMs = FIRST_PAUSE_MS
      return answer
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause
      // The cause of a failed fetch may contain the address, and with it a key that a proxy expects in the path.
      const reason = cause instanceof Error ? cause.name : 'unknown'
      throw new ProviderError(`coingecko cannot be reached or does not speak JSON (${reason})`)
    }
  }

  return (path, params = {}, mostWaiting = Infinity) => {
    if (waiting > mostWaiting)
      return Promise.reject(new ProviderError('coingecko has much to answer already'))
    waiting += 1
    const answer = queue.then(() => request(path, params)).finally(() => (waiting -= 1))
    queue = answer.catch(() => undefined)
    return answer
  }
}

/** Maximum length of an accepted number; doubles written out in full have about 330 digits. */
const MAX_LENGTH = 64
const MAX_EXPONENT = 60

/**
 * Writes a JSON number without an exponent: `1.5e-7` becomes `0.00000015`. Null for text that is no number or out of
 * range.
 */
export function toDecimalText(text: string): string | null {
  const parts = text.length <= MAX_LENGTH ? /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) : null
  if (!parts) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > MAX_EXPONENT) return null
  const digits = whole + fraction
  const point = whole.length + exponent
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0))
  const tidy = `${left.replace(/^0+(?=\d)/, '')}${right.replace(/0+$/, '') && `.${right.replace(/0+$/, '')}`}`
  return tidy === '0' ? '0' : sign + tidy
}

/** Parses JSON with every number as its own text, because a price must not pass through a double. @throws SyntaxError */
export function parseExactJson(text: string): unknown {
  const keepNumbers = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return JSON.parse(text, keepNumbers)
}

/** The provider's names of chains and their native coins, as in its /asset_platforms. */
const KNOWN: Readonly<Record<number, { platform: string; nativeId: string }>> = {
  1: { platform: 'ethereum', nativeId: 'ethereum' },
  10: { platform: 'optimistic-ethereum', nativeId: 'ethereum' },
  56: { platform: 'binance-smart-chain', nativeId: 'binancecoin' },
  100: { platform: 'xdai', nativeId: 'xdai' },
  130: { platform: 'unichain', nativeId: 'ethereum' },
  137: { platform: 'polygon-pos', nativeId: 'polygon-ecosystem-token' },
  324: { platform: 'zksync', nativeId: 'ethereum' },
  480: { platform: 'world-chain', nativeId: 'ethereum' },
  8453: { platform: 'base', nativeId: 'ethereum' },
  42161: { platform: 'arbitrum-one', nativeId: 'ethereum' },
  42220: { platform: 'celo', nativeId: 'celo' },
  43114: { platform: 'avalanche', nativeId: 'avalanche-2' },
  57073: { platform: 'ink', nativeId: 'ethereum' },
  59144: { platform: 'linea', nativeId: 'ethereum' },
  534352: { platform: 'scroll', nativeId: 'ethereum' },
}

/** Returns the provider's names of a chain; absent if it has none, as for testnets. */
export function platformOf(
  chainId: number,
  config: CoingeckoConfig,
): { platform?: string | undefined; nativeId?: string | undefined } {
  return { ...KNOWN[chainId], ...config.platforms[String(chainId)] }
}
