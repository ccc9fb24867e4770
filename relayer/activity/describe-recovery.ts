import { getAddress } from 'viem'
import type { RecoveryRow } from '../../db/transact/pool-recoveries.ts'
import type { PendingRow } from '../../db/activity/pending.ts'
import type { ActivityPool, ActivityTransfer, TokenAmount } from './activity.ts'

/** Describes the recovery of a submitted quote: the pool's part, and the expected transfer. */
export function describeRecovery(
  { chainId, token, recipient, payments }: Pick<PendingRow, 'chainId' | 'token' | 'recipient' | 'payments'>,
  { pool, label, aspStatus }: RecoveryRow,
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): { pool: ActivityPool; transfers: readonly ActivityTransfer[] } {
  // The recovered amount pays for it.
  const amount = amountOf(chainId, token, payments[0]?.amount ?? 0n)
  const poolAddress = getAddress(pool)
  return {
    pool: { poolAddress, amount, aspStatus, commitmentId: String(label), vettingFee: null, depositFee: null },
    transfers: [{ ...amount, from: poolAddress, to: getAddress(recipient), tokenId: null, ownEnd: 'to' }],
  }
}
