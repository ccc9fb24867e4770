import { swapUnavailable } from '../../errors.ts'
import { listBridgeRoutes } from '../../venues/bridge/bridge-venues.ts'
import type { KindContext } from '../quote-kind.ts'
import { listCrossChainPaths } from './cross-chain-paths.ts'
import { quoteCrossChain, type CrossChainAsk, type CrossChainQuote } from './quote-cross-chain.ts'

/**
 * Chooses the best path between two chains for an amount: of those with the fewest exchanges, the one with the largest
 * output.
 * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE without a path; as the venues do.
 */
export async function chooseCrossChain(context: KindContext, ask: CrossChainAsk): Promise<CrossChainQuote> {
  const bridges = listBridgeRoutes(context.sending.chain, ask.destination)
  for (const group of listCrossChainPaths(bridges, ask)) {
    const asked = await Promise.allSettled(group.map((path) => quoteCrossChain(context, ask, path)))
    const [best] = asked
      .flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []))
      .sort((a, b) => (a.expected < b.expected ? 1 : -1))
    if (best) return best
    const refused = asked.find((answer) => answer.status === 'rejected')
    if (refused) throw refused.reason
  }
  throw swapUnavailable()
}
