import type { ChainConfig } from './config.ts'
import { hasPools } from './relayer-config.ts'

/** Settings by which anybody sees on the chain that relays and sends are of one service. */
export type Mark = 'signers' | 'fees'

/**
 * Lists the marks of a chain; a testnet's do not count, and without pools there are none.
 *
 * @param receivers The addresses to which fees of relays and of sends go.
 */
export function listMarks(
  { relayer, sending, isTestnet }: Pick<ChainConfig, 'relayer' | 'sending' | 'isTestnet'>,
  receivers: { relays: string; sends: string },
): Mark[] {
  if (!relayer || !hasPools(relayer) || !sending || isTestnet) return []
  return [
    ...(relayer.relaySignerKeys ? [] : (['signers'] as const)),
    ...(receivers.relays.toLowerCase() === receivers.sends.toLowerCase() ? (['fees'] as const) : []),
  ]
}
