import { parseUnits, type Address } from 'viem'
import { badRequest } from '../../relayer/errors.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import type { RateLimiter } from '../../schema/define/context.ts'
import { takeFromLimit, takeStream } from '../../schema/define/limits.ts'
import { HttpError } from '../errors.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import type { HttpAnswer, HttpRequest, Route } from '../route/route.ts'
import { paymentPage, paymentProblemPage, type PaymentRequest } from './payment-page.ts'

/** A token as a page names it. The zero address is the coin. */
export interface PayableToken {
  address: Address
  symbol: string
  decimals: number
}

/** A payment that has arrived. */
interface ArrivedPayment {
  chainId: number
  token: string
  /** In the token's smallest unit. */
  amount: bigint
  txHash: string | null
}

/** The page by which anybody pays to a name. */
export interface PaymentPage {
  /** Parent of the names. */
  parent: string
  chains: readonly { chainId: number; name: string; nativeSymbol: string }[]
  /** @param asked An address or a symbol; empty is the coin. @throws ServiceError `bad-request` for unknown ones. */
  findToken(chainId: number, asked: string): Promise<PayableToken>
  /** Issues the address of a visit; null if the name is free. @throws ServiceError `too-many-requests`. */
  open(label: string, asker: string): Promise<{ address: Address; ticket: string } | null>
  /** Yields the payments to the visit's address, again at each change; null for a ticket that is not good. */
  follow(ticket: string, signal: AbortSignal): AsyncIterable<readonly ArrivedPayment[]> | null
}

/** Of a network in a minute, as for lookups of names. */
const PAGES_LIMIT = 60

/** The page loads and asks nothing but this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageAnswer = (status: number, { text }: { text: string }): HttpAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-robots-tag': 'noindex',
  },
  body: text,
})

/** `/pay/{name}`, and the events of a visit. Neither logs the name, the address or the visitor. */
export function paymentRoutes(
  page: PaymentPage,
  { limiter, shutdown }: { limiter: RateLimiter; shutdown: AbortSignal },
): Route[] {
  return [
    {
      method: 'GET',
      path: '/pay/{name}',
      name: 'payment-page',
      ownOrigin: true,
      handle: (request) => showPage(page, request, limiter).catch(explain),
    },
    {
      method: 'GET',
      path: '/pay/{name}/events',
      name: 'payment-events',
      ownOrigin: true,
      async handle(request) {
        // Nothing would read the stream of an answer to HEAD, nor end it.
        if (request.method === 'HEAD') return { status: 204, body: null }
        await takeStream({ address: request.clientAddress }, { limiter })
        const signal = AbortSignal.any([request.signal, shutdown])
        const payments = page.follow(request.query.get('ticket') ?? '', signal)
        if (!payments) throw new HttpError(404, 'This visit has ended')
        const headers = { 'content-type': 'text/event-stream' }
        return { status: 200, headers, body: writeEvents(page, payments) }
      },
    },
  ]
}

async function showPage(page: PaymentPage, request: HttpRequest, limiter: RateLimiter): Promise<HttpAnswer> {
  if (!isLooking(request)) return { status: 204, body: null }
  const asker = networkOf(request.clientAddress)
  await takeFromLimit(
    { operation: 'paymentPage', limit: PAGES_LIMIT, client: { address: request.clientAddress } },
    { limiter },
  )
  const given = (request.params['name'] ?? '').toLowerCase()
  const label = given.endsWith(`.${page.parent}`) ? given.slice(0, -page.parent.length - 1) : given
  const asked = await readRequest(page, `${label}.${page.parent}`, request.query)
  const visit = await page.open(label, asker)
  if (!visit)
    return pageAnswer(404, paymentProblemPage('Nobody has this name', 'Ask the person for the right link.'))
  return pageAnswer(200, paymentPage(asked, { ...visit, chains: page.chains.map(({ name }) => name) }))
}

/** Only somebody who looks at the page gets an address: no other page may use them up as a picture or a frame of its own. */
function isLooking({ method, headers }: HttpRequest): boolean {
  const { 'sec-purpose': purpose, 'sec-fetch-dest': wanted = 'document' } = headers
  return method === 'GET' && !/prefetch/.test(String(purpose)) && wanted === 'document'
}

/** @throws ServiceError `bad-request`. */
async function readRequest(page: PaymentPage, name: string, query: URLSearchParams): Promise<PaymentRequest> {
  const [askedChain, askedToken, askedAmount] = ['chain', 'token', 'amount'].map(
    (key) => query.get(key) ?? '',
  )
  const [only, ...others] = page.chains
  const chain = askedChain
    ? page.chains.find(({ chainId }) => String(chainId) === askedChain)
    : others.length === 0
      ? only
      : null
  if (chain === undefined) throw badRequest('This service does not know the network')
  if (!chain && (askedToken || askedAmount)) throw badRequest('The link names no network')
  const token = chain ? await page.findToken(chain.chainId, askedToken ?? '') : null
  return { name, chain, token, amount: token && askedAmount ? readAmount(askedAmount, token) : null }
}

function readAmount(text: string, { decimals }: PayableToken): bigint {
  const [, fraction = ''] = text.split('.')
  const isAmount = /^\d{1,30}(?:\.\d+)?$/.test(text) && fraction.length <= decimals
  const amount = isAmount ? parseUnits(text, decimals) : 0n
  if (amount === 0n) throw badRequest('The link’s amount is not an amount of the token')
  return amount
}

/** In words, for a person who followed a link. @throws unless the service refuses. */
function explain(error: unknown): HttpAnswer {
  if (!(error instanceof ServiceError)) throw error
  if (error.kind === 'too-many-requests')
    return pageAnswer(
      429,
      paymentProblemPage(
        'Not just now',
        'This name was asked for too often. Nothing was paid. Try again in an hour.',
      ),
    )
  return pageAnswer(
    400,
    paymentProblemPage('This link is not right', `${error.message}. Ask the person for another.`),
  )
}

async function* writeEvents(
  { chains, findToken }: PaymentPage,
  payments: AsyncIterable<readonly ArrivedPayment[]>,
): AsyncGenerator<Uint8Array> {
  for await (const arrived of payments) {
    const shown = []
    for (const { chainId, token, amount, txHash } of arrived) {
      const known = await findToken(chainId, token).catch(() => null)
      // Anybody can send tokens of their own making.
      if (!known) continue
      const { symbol, decimals } = known
      const chain = chains.find((one) => one.chainId === chainId)?.name ?? String(chainId)
      shown.push({ chainId, chain, token: known.address, symbol, decimals, amount: String(amount), txHash })
    }
    yield Buffer.from(`data: ${JSON.stringify(shown)}\n\n`)
  }
}
