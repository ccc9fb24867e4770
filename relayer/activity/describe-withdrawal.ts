import { getAddress } from 'viem'
import type { PendingRow } from '../../db/activity/pending.ts'
import type { WithdrawalRow } from '../../db/transact/collectible-withdrawals.ts'
import type { ActivityTransfer } from './activity.ts'

/** Describes the transfer of the collectible that a submitted quote sends away. */
export const describeWithdrawal = (
  { chainId, recipient, payments }: Pick<PendingRow, 'chainId' | 'recipient' | 'payments'>,
  { contract, tokenId }: WithdrawalRow,
): ActivityTransfer[] =>
  payments.map(({ address, amount }) => ({
    chainId,
    tokenAddress: getAddress(contract),
    token: null,
    value: amount,
    price: null,
    from: getAddress(address),
    to: getAddress(recipient),
    tokenId,
    ownEnd: 'from',
  }))
