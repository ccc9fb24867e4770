import type { Logger } from 'pino'
import type { RelayingConfig } from '../../relayer/chain/nodes/config.ts'

/**
 * Warns of settings by which everybody sees that relays and what accounts send are of one service: then a withdrawal hides
 * among the deposits of its accounts alone.
 * @param feeReceivers Where fees of sending go, by chain id, if not to the relayer's.
 */
export function warnOfMarks(
  chains: ReadonlyMap<number, { chain: { config: RelayingConfig }; feeReceiver: string }>,
  feeReceivers: Readonly<Record<string, string>>,
  logger: Logger,
): void {
  for (const [chainId, { chain, feeReceiver }] of chains) {
    const { relayer, sending, isTestnet } = chain.config
    if (!sending || isTestnet) continue
    if (!relayer.relaySignerKeys) logger.warn({ chainId }, 'the same signers send relays and sends')
    if ((feeReceivers[chainId] ?? feeReceiver) === feeReceiver)
      logger.warn({ chainId }, 'fees of relays and of sends go to one address')
  }
}
