import { isAddressEqual, zeroAddress, type Address, type Hex, isAddress } from 'viem'
import type { KyberswapConfig } from '../../../../chain/nodes/venues-config.ts'
import { readBounded } from '../../../../../proving/rpc/read-bounded.ts'
import { swapUnavailable } from '../../../errors.ts'
import { isTimeout } from '../../observe-venue.ts'
import type { SwapAsk } from '../swap-venue.ts'
import { z } from 'zod'

/** An address in any spelling; the service writes lower case and checksummed ones. */
const address = z
  .string()
  .max(42)
  .refine((text) => isAddress(text, { strict: false }))
/** An amount of at most 256 bits, in smallest units. */
const amount = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n)
const bytes = z
  .string()
  .max(131_072)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
  .transform((text) => text as Hex)

/** Common member of every answer; a code other than 0 is a refusal. */
const kyberswapStatus = z.object({ code: z.int() })

/** Answer of GET …/api/v1/routes. The summary is returned to the service unchanged, so all of its members are kept. */
const kyberswapRoute = z.object({
  data: z.object({
    routerAddress: address,
    routeSummary: z.looseObject({ tokenIn: z.string(), tokenOut: z.string() }),
  }),
})

/** Members of a summary that are used. */
const kyberswapSummary = z.object({
  tokenIn: address,
  tokenOut: address,
  amountIn: amount,
  amountOut: amount,
})

/** Answer of POST …/api/v1/route/build. */
const kyberswapBuild = z.object({ data: z.object({ routerAddress: address, data: bytes }) })

/** Refusals that mean that the service does not exchange these tokens: no route, no pools, an unknown token. */
const NO_ROUTE_CODES: ReadonlySet<number> = new Set([4008, 4010, 4011])

const TIMEOUT_MS = 3_000
const MAX_ANSWER_BYTES = 512 * 1024
/** The service's name for the native coin. */
const NATIVE: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/**
 * Slippage of the service's own minimum, in basis points: the highest that it accepts. Our minimum is enforced by the
 * guard.
 */
const OWN_SLIPPAGE_BPS = 2_000

/** A route that the service proposes. */
export interface ProposedRoute {
  /** Smallest unit of the output token. */
  amountOut: bigint
  /** Returned to the service unchanged. */
  summary: unknown
}

/** Recipient and deadline of a proposed route. */
export interface BuildTerms {
  /** Also given as the payer: the service learns one address. */
  recipient: Address
  /** Seconds since 1970. */
  deadline: bigint
}

/**
 * Requests a route; the service learns tokens and amount. Null if it has none.
 * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE when the service does not answer within three seconds, or answers
 * another request.
 */
export async function askKyberswapRoute(
  config: KyberswapConfig,
  ask: SwapAsk,
): Promise<ProposedRoute | null> {
  const tokenIn = spell(ask.tokenIn)
  const tokenOut = spell(ask.tokenOut)
  const query = new URLSearchParams({ tokenIn, tokenOut, amountIn: String(ask.amountIn) })
  const answer = await request(config, `routes?${query.toString()}`, {})
  if (answer === null) return null
  return orUnavailable(() => {
    const { routerAddress, routeSummary } = kyberswapRoute.parse(answer).data
    demandEqual(routerAddress, config.router)
    const summary = kyberswapSummary.parse(routeSummary)
    demandEqual(summary.tokenIn, tokenIn)
    demandEqual(summary.tokenOut, tokenOut)
    if (summary.amountIn !== ask.amountIn) throw new Error('it answers another amount')
    return summary.amountOut === 0n ? null : { amountOut: summary.amountOut, summary: routeSummary }
  })
}

/**
 * Requests the router's calldata for a route; the service learns the recipient.
 * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE as askKyberswapRoute does, and when it has no data.
 */
export async function buildKyberswapRoute(
  config: KyberswapConfig,
  { summary }: ProposedRoute,
  { recipient, deadline }: BuildTerms,
): Promise<Hex> {
  const body = writeVerbatim({
    routeSummary: summary,
    sender: recipient,
    recipient,
    slippageTolerance: OWN_SLIPPAGE_BPS,
    deadline: Number(deadline),
  })
  const answer = await request(config, 'route/build', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return orUnavailable(() => {
    const { routerAddress, data } = kyberswapBuild.parse(answer).data
    demandEqual(routerAddress, config.router)
    return data
  })
}

/** Sends a request and returns the answer; null if the service has no route. */
async function request(
  { url, chain }: KyberswapConfig,
  path: string,
  init: { method?: 'POST'; headers?: Record<string, string>; body?: string },
): Promise<unknown> {
  const address = `${url.replace(/\/+$/, '')}/${chain}/api/v1/${path}`
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null) throw new Error('it answers too much')
    const answer = parseVerbatim(text)
    const { code } = kyberswapStatus.parse(answer)
    if (NO_ROUTE_CODES.has(code)) return null
    if (code !== 0 || !response.ok) throw new Error('it refuses')
    return answer
  } catch (cause) {
    // Any other cause would name tokens, amount or recipient.
    throw swapUnavailable(isTimeout(cause) ? { cause } : {})
  }
}

function orUnavailable<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw swapUnavailable()
  }
}

const spell = (token: Address): Address => (token === zeroAddress ? NATIVE : token)

function demandEqual(said: Address, wanted: Address): void {
  if (!isAddressEqual(said, wanted)) throw new Error('it names another address')
}

/** The original text of a number that JavaScript would round. */
class VerbatimNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Marks a number's text until it is written; digits cannot be confused with it. */
const MARK = '\u0000verbatim:'

/** Parses JSON and preserves numbers that a double cannot hold. @throws SyntaxError */
function parseVerbatim(text: string): unknown {
  const keep = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new VerbatimNumber(context.source)
      : value
  return JSON.parse(text, keep)
}

/** Writes JSON with the numbers that parseVerbatim preserved. */
function writeVerbatim(value: unknown): string {
  const mark = (_: string, item: unknown) => (item instanceof VerbatimNumber ? `${MARK}${item.source}` : item)
  return JSON.stringify(value, mark).replaceAll(/"\\u0000verbatim:([-+.\deE]+)"/g, '$1')
}
