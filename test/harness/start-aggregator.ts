import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionData, isAddressEqual, parseAbi, zeroAddress, type Address, type Hex } from 'viem'

const routerAbi = parseAbi([
  'function exchange(address tokenIn, uint256 take, address tokenOut, uint256 give, address to) payable',
  'function exchangeInSimulation(address tokenIn, uint256 take, address tokenOut, uint256 give, address to) payable',
  'function exchangeAndGrant(address tokenIn, uint256 take, address tokenOut, uint256 give, address to) payable',
])
const NATIVE: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/** JavaScript would round it: the route comes back with every digit of it, or it is not built. */
const LARGE_NUMBER = '1461446703485210103287273052203988822378723970341'

/** Orders to the router. */
export interface Deed {
  does: 'exchange' | 'exchangeInSimulation' | 'exchangeAndGrant'
  take: bigint
  tokenOut: Address
  give: bigint
  to: Address
}

/** How the aggregator lies; it is honest where nothing is said. */
export interface Lies {
  /** The claimed output, computed from the honest one. */
  quoted?: (honest: bigint) => bigint
  /** Members of the answer to a question for a route. */
  summary?: Record<string, unknown>
  /** The contract that it names. */
  routerAddress?: Address
  /** The router's orders in its calldata. */
  deed?: Partial<Deed>
  /** Calldata of its choice. */
  data?: Hex
  /** The whole answer. */
  answer?: { status: number; body: string }
  /** Never answers. */
  isSilent?: boolean
}

/** A server that speaks the protocol of KyberSwap's aggregator, in front of a LyingRouter. */
export interface Aggregator extends AsyncDisposable {
  url: string
  lies: Lies
  /** Requests since the last reset: path with query, and the body. */
  asked: { path: string; body: string }[]
}

/**
 * Starts it on a free port. One unit of `tokenIn` is worth `rateOf` units of `tokenOut`, as a fraction.
 * @param chain The chain's name in its paths.
 */
export async function startAggregator(
  chain: string,
  router: Address,
  rateOf: (tokenIn: Address, tokenOut: Address) => readonly [numerator: bigint, denominator: bigint] | null,
): Promise<Aggregator> {
  const asked: Aggregator['asked'] = []
  const aggregator = { lies: {} as Lies }
  const token = (text: string | null) => {
    const address = (text ?? zeroAddress) as Address
    return isAddressEqual(address, NATIVE) ? zeroAddress : address
  }
  const honest = (tokenIn: Address, tokenOut: Address, amountIn: bigint): bigint | null => {
    const rate = rateOf(tokenIn, tokenOut)
    return rate && (amountIn * rate[0]) / rate[1]
  }

  function proposeRoute(query: URLSearchParams): string {
    const { quoted = (amount: bigint) => amount, summary, routerAddress = router } = aggregator.lies
    const amount = honest(
      token(query.get('tokenIn')),
      token(query.get('tokenOut')),
      BigInt(query.get('amountIn') ?? 0),
    )
    if (amount === null) return '{"code":4008,"message":"route not found"}'
    const route = [[{ pool: router, poolExtra: { priceLimit: 'LARGE' }, swapAmount: query.get('amountIn') }]]
    const routeSummary = {
      ...Object.fromEntries(query),
      amountOut: String(quoted(amount)),
      gas: '150000',
      route,
      ...summary,
    }
    const text = JSON.stringify({ code: 0, message: 'successfully', data: { routeSummary, routerAddress } })
    return text.replace('"LARGE"', LARGE_NUMBER)
  }

  function buildRoute(body: string): string {
    const { deed, data, routerAddress = router } = aggregator.lies
    const { routeSummary, recipient } = JSON.parse(body) as {
      routeSummary: { tokenIn: string; tokenOut: string; amountIn: string }
      recipient: Address
    }
    if (!body.includes(LARGE_NUMBER)) return '{"code":4002,"message":"the route was changed"}'
    const tokenIn = token(routeSummary.tokenIn)
    const amountIn = BigInt(routeSummary.amountIn)
    const tokenOut = token(routeSummary.tokenOut)
    const give = honest(tokenIn, tokenOut, amountIn) ?? 0n
    const done: Deed = { does: 'exchange', take: amountIn, tokenOut, give, to: recipient, ...deed }
    const args = [tokenIn, done.take, done.tokenOut, done.give, done.to] as const
    const encoded = data ?? encodeFunctionData({ abi: routerAbi, functionName: done.does, args })
    return JSON.stringify({ code: 0, data: { data: encoded, routerAddress, amountOut: String(give) } })
  }

  const server = createServer((request, response) => {
    // Asks whether the server is there.
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    void readBody(request).then((body) => {
      const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://aggregator')
      asked.push({ path: `${pathname}${search}`, body })
      const { answer, isSilent } = aggregator.lies
      if (isSilent) return
      const text =
        answer?.body ?? (pathname.endsWith('/route/build') ? buildRoute(body) : proposeRoute(searchParams))
      const isKnown = pathname.startsWith(`/${chain}/api/v1/route`)
      response.writeHead(answer?.status ?? (isKnown ? 200 : 404), { 'content-type': 'application/json' })
      response.end(text)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(aggregator, {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
