import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { shareSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import type { Outbox } from './outbox.ts'

/** What a look at the leases changed. */
export interface LeaseChanges {
  /** The chains where this instance gained a signer. */
  gained: ReadonlySet<number>
  /** Whether signers were given up, which other instances may take. */
  hasGivenUp: boolean
}

/** Renews, takes and gives up leases so that this instance has its share of each chain's signers, and notes which it has. */
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
        // Its nonces are what the chain says now.
        signer.txNonce = null
        outbox.lookedAt = -Infinity
      }
      logger.info(
        { chainId, signer: address },
        isHeld ? 'signer leased' : 'the lease of a signer is with other instances now',
      )
      signer.leased = isHeld
      // Whoever had it meanwhile may have handed out more.
      signer.nextTxNonce = null
    }
  }
  return { gained, hasGivenUp: leases.some(({ isHeld }) => !isHeld) }
}

/** The keys of an outbox's signers, with the duty of each. */
export const listKeys = ({ chain, signers }: Outbox) =>
  [...signers].map(([address, { duty }]) => ({ chainId: chain.config.chainId, address, duty }))
