import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { leaseSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import type { Outbox } from './outbox.ts'

/**
 * Takes or renews the leases of every configured signer that is free, and notes which are ours.
 * @returns The chains where this instance gained a signer.
 */
export async function keepLeases(
  pool: DatabasePool,
  logger: Logger,
  { owner, leaseMs }: { owner: string; leaseMs: number },
  outboxes: readonly Outbox[],
): Promise<ReadonlySet<number>> {
  const wanted = outboxes.flatMap(({ chain, signers }) =>
    [...signers.keys()].map((address) => ({ chainId: chain.config.chainId, address })),
  )
  const held = await leaseSigners(pool, owner, wanted, leaseMs)
  const gained = new Set<number>()
  for (const outbox of outboxes) {
    const { chain, signers } = outbox
    const { chainId } = chain.config
    for (const [address, signer] of signers) {
      const leased = held.some((lease) => lease.chainId === chainId && lease.address === address)
      if (leased && !signer.leased) {
        gained.add(chainId)
        // Its nonces are what the chain says now.
        outbox.lookedAt = -Infinity
      }
      if (leased !== signer.leased)
        logger.info(
          { chainId, signer: address },
          leased ? 'signer leased' : 'signer lease lost to another instance',
        )
      signer.leased = leased
    }
  }
  return gained
}
