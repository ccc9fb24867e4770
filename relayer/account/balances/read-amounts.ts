import { sumPoolDeposits } from '../../../db/account/balances/pool-deposits.ts'
import { sumHoldings } from '../../../db/account/balances/address-holdings.ts'
import { listPooledChanges } from '../../pool/notes/settle-notes.ts'
import type { NoteSources } from '../../pool/book/pool-books.ts'
import { keyOf, tokenIdOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { TokenBalance } from '../../market/watchlist/watched-tokens.ts'

/** Amounts in smallest units, without the token's metadata and price. */
export type Amounts = Pick<TokenBalance, 'visible' | 'pooled'>

/** The amounts of a token that an account never had. */
export const NO_AMOUNTS: Amounts = {
  visible: { available: 0n, pending: 0n },
  pooled: { available: 0n, pendingApproval: 0n, pendingWithdrawal: 0n, declined: 0n },
}

/** A chain, a token, or a set of tokens (visible amounts only); at most `most` tokens. */
export interface AmountFilter extends Partial<TokenId> {
  tokens?: readonly TokenId[]
  most?: number
}

/**
 * Reads an account's visible and pooled amounts by token: four queries, whatever the number of addresses. Subtracts
 * the reported spends from the pooled amounts.
 */
export async function readAmounts(
  sources: NoteSources,
  accountId: string,
  only: AmountFilter = {},
): Promise<ReadonlyMap<TokenKey, TokenId & Amounts>> {
  const { chainId, address } = only
  const { database } = sources
  const [visible, deposits, changes] = await Promise.all([
    sumHoldings(database, accountId, {
      ...(chainId !== undefined && { chainId }),
      ...(address !== undefined && { token: address }),
      ...(only.tokens && { tokens: only.tokens }),
      ...(only.most !== undefined && { most: only.most }),
    }),
    sumPoolDeposits(database, accountId, chainId ?? null),
    listPooledChanges(sources, accountId),
  ])
  const amounts = new Map<TokenKey, TokenId & Amounts>()
  const merge = (id: TokenId, more: Partial<Amounts>) => {
    if (address !== undefined && id.address !== address) return
    amounts.set(keyOf(id), { ...NO_AMOUNTS, ...amounts.get(keyOf(id)), ...id, ...more })
  }
  for (const { chainId: chain, token, free, locked } of visible)
    merge({ chainId: chain, address: token }, { visible: { available: free, pending: locked } })
  for (const { chainId: chain, asset, approved, pendingApproval, declined } of deposits) {
    const pooled = { available: approved, pendingApproval, pendingWithdrawal: 0n, declined }
    merge(tokenIdOf(chain, asset), { pooled })
  }
  for (const { chainId: chain, asset, ...change } of changes) {
    if (chainId !== undefined && chain !== chainId) continue
    const id = tokenIdOf(chain, asset)
    const { pooled } = amounts.get(keyOf(id)) ?? NO_AMOUNTS
    merge(id, {
      pooled: {
        available: atLeastZero(pooled.available + change.approved),
        pendingApproval: atLeastZero(pooled.pendingApproval + change.pending),
        pendingWithdrawal: pooled.pendingWithdrawal + change.locked,
        declined: atLeastZero(pooled.declined + change.declined),
      },
    })
  }
  return amounts
}

/** Several statements read sums and changes; a deposit may be recovered between them. */
const atLeastZero = (amount: bigint): bigint => (amount < 0n ? 0n : amount)
