import type { Hex } from 'viem'
import type { RelayerConfig } from './relayer-config.ts'

/** Purposes of transactions: withdrawals from pools, or sends of accounts. */
export const DUTIES = ['relays', 'sends'] as const
/** One of {@link DUTIES}. */
export type Duty = (typeof DUTIES)[number]

/** A signer of the configuration. */
export interface ConfiguredSigner {
  key: Hex
  /** The only transactions that it sends; `all` where the configuration does not separate them. */
  duty: Duty | 'all'
}

/** Every signer of a chain with its duty; those of sends first. */
export const listSigners = ({
  signerKeys,
  relaySignerKeys,
}: Pick<RelayerConfig, 'signerKeys' | 'relaySignerKeys'>): ConfiguredSigner[] => [
  ...signerKeys.map((key) => ({ key, duty: relaySignerKeys ? ('sends' as const) : ('all' as const) })),
  ...(relaySignerKeys ?? []).map((key) => ({ key, duty: 'relays' as const })),
]

/** True if a signer sends the transactions of a duty. */
export const hasDuty = (signer: Pick<ConfiguredSigner, 'duty'>, duty: Duty): boolean =>
  signer.duty === 'all' || signer.duty === duty
