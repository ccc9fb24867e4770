import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response of a server; `null` means none. */
export type FeesAnswer = { status: number; body: string } | null

/** A server in place of Across's, which records requests and gives the answers that a test sets. */
export interface FeesServer {
  url: string
  /** Target and headers of each request, without those that ask whether the server is there. */
  readonly asked: { target: URL; everything: string }[]
  answer: (target: URL) => FeesAnswer
  stop(): Promise<void>
}

/** Across's answer for a transfer of 100 units with a fee of a tenth of a percent. */
export const honestAnswer = {
  totalRelayFee: { pct: '1000000000000000', total: '100000' },
  relayerCapitalFee: { pct: '0', total: '0' },
  timestamp: '1790000000',
  isAmountTooLow: false,
  spokePoolAddress: '0x000000000000000000000000000000000000dEaD',
  exclusiveRelayer: '0x000000000000000000000000000000000000dEaD',
  exclusivityDeadline: 4_000_000_000,
  estimatedFillTimeSec: 4,
  limits: { minDeposit: '1000', maxDeposit: '200000000' },
}

/** Starts the server on a free port; it answers {@link honestAnswer} unless a test changes that. */
export async function startFeesServer(): Promise<FeesServer> {
  const asked: FeesServer['asked'] = []
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    const target = new URL(request.url ?? '', 'http://fees')
    asked.push({ target, everything: `${request.url} ${request.rawHeaders.join(' ')}` })
    const answer = fees.answer(target)
    if (answer) response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fees: FeesServer = {
    url: `http://127.0.0.1:${port}/api/suggested-fees`,
    asked,
    answer: () => ({ status: 200, body: JSON.stringify(honestAnswer) }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fees
}
