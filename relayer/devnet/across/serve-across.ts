import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AcrossChain } from './across-chain.ts'
import type { Filler, FillerOrders, KnownDeposit } from './create-filler.ts'
import { suggestFees } from './suggest-fees.ts'

/** What is served. */
export interface ServedAcross {
  chains: readonly AcrossChain[]
  filler: Filler
  orders: Readonly<FillerOrders>
}

interface Answer {
  status: number
  body: unknown
}

/** Below it is what Across' API answers, as at https://app.across.to/api. */
export const API_PATH = '/api'
/** Longer lists than this are cut at their beginning. */
const LISTED_DEPOSITS = 200

/**
 * Serves on the loopback address `GET /api/suggested-fees` as Across does, and `GET /deposits`: what the filler knows,
 * newest first.
 */
export async function serveAcross(across: ServedAcross, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void answerSafely(across, request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function answerSafely(across: ServedAcross, request: IncomingMessage): Promise<Answer> {
  try {
    return await answerRequest(across, request)
  } catch (error) {
    return { status: 500, body: { message: String(error) } }
  }
}

async function answerRequest(
  { chains, filler, orders }: ServedAcross,
  request: IncomingMessage,
): Promise<Answer> {
  const url = URL.parse(`http://across${request.url}`)
  const topic = `${request.method} ${url?.pathname}`
  if (topic === `GET ${API_PATH}/suggested-fees`)
    return suggestFees(chains, url?.searchParams ?? new URLSearchParams(), {
      fillSeconds: Math.max(1, Math.ceil(orders.delaySeconds)),
    })
  if (topic === 'GET /deposits')
    return { status: 200, body: filler.list().slice(-LISTED_DEPOSITS).toReversed().map(describeDeposit) }
  return { status: 404, body: { message: `There is nothing at ${request.method} ${request.url}` } }
}

/** A deposit in JSON: amounts as decimal strings. */
export function describeDeposit({
  relay,
  destinationChainId,
  txHash,
  relayHash,
  state,
  reason,
}: KnownDeposit) {
  return {
    originChainId: Number(relay.originChainId),
    depositId: String(relay.depositId),
    destinationChainId,
    relayHash,
    txHash,
    inputAmount: String(relay.inputAmount),
    outputAmount: String(relay.outputAmount),
    fillDeadline: new Date(relay.fillDeadline * 1_000).toISOString(),
    state,
    reason,
  }
}
