import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { shareSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import type { Outbox } from './outbox.ts'

/** Changes by a renewal of the leases. */
export interface LeaseChanges {
  /** The chains where this instance gained a signer. */
  gained: ReadonlySet<number>
  /** True if signers were released, which other instances may claim. */
  hasGivenUp: boolean
}

/**
 * Renews, claims and releases leases so that this instance has its share of each chain's signers, and records which it has.
 */
export async function keepLeases(
  pool: DatabasePool,
  logger: Logger,
  { owner, leaseMs }: { owner: string; leaseMs: number },
  outboxes: readonly Outbox[],
): Promise<LeaseChanges> {
  const leases = await shareSigners(pool, owner, outboxes.flatMap(listKeys), leaseMs)
  const gained = new Set<number>()
  for (const outbox of outboxes) {
    const { chain, signers } = outbox
    const { chainId } = chain.config
    for (const [address, signer] of signers) {
      const isHeld = leases.some((one) => one.isHeld && one.chainId === chainId && one.address === address)
      if (isHeld === signer.leased) continue
      if (isHeld) {
        gained.add(chainId)
        // Read its nonces from the chain again.
        signer.txNonce = null
        outbox.lookedAt = -Infinity
      }
      logger.info(
        { chainId, signer: address },
        isHeld ? 'signer leased' : 'the lease of a signer is with other instances now',
      )
      signer.leased = isHeld
      // Another holder may have handed out more meanwhile.
      signer.nextTxNonce = null
    }
  }
  return { gained, hasGivenUp: leases.some(({ isHeld }) => !isHeld) }
}

/** The keys of an outbox's signers, with the duty of each. */
export const listKeys = ({ chain, signers }: Outbox) =>
  [...signers].map(([address, { duty }]) => ({ chainId: chain.config.chainId, address, duty }))
