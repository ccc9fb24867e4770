import type { Logger } from 'pino'
import type { RelayingConfig } from '../../relayer/chain/nodes/config.ts'

/**
 * Warns of settings that publicly link relays to the account payments of one service. A withdrawal then hides only
 * among the deposits of the service's accounts.
 * @param feeReceivers Receivers of fees for sending, by chain id, where they differ from the relayer's.
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
