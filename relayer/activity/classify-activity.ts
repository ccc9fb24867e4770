import type { PoolEventRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import type { PrivateReceipt } from '../account/provenance/match-relays.ts'
import type { ActivityKind } from '../transact/kinds/quote-kind.ts'

/** The indexed facts of one transaction, as one account sees them. */
export interface TransactionFacts {
  /** Transfers from or to addresses of the account. */
  transfers: readonly TransferRow[]
  /** Events of pools and Entrypoint whose account is one of the account's addresses. */
  poolEvents: readonly PoolEventRow[]
  isOwn(address: string): boolean
  /** Payments to the account out of pools. */
  privateReceipts: readonly PrivateReceipt[]
  /** True if the account made the address for payments of its own. */
  isStop(address: string): boolean
  /** True if an address of the account signed the transaction. */
  isExternal: boolean
}

/**
 * Returns the kind of activity of a transaction. Pools come first, because a deposit is also a transfer; then
 * exchanges. The rest is by direction.
 */
export function classifyActivity({
  transfers,
  poolEvents,
  isOwn,
  isExternal,
  privateReceipts,
  isStop,
}: TransactionFacts): ActivityKind {
  if (poolEvents.some(({ kind }) => kind === 'deposit')) return 'POOL_DEPOSIT'
  if (poolEvents.some(({ kind }) => kind === 'ragequit')) return 'POOL_RECOVER'
  if (privateReceipts.some(({ transfer }) => isStop(transfer.to))) return 'INCOGNITO_SELF_SEND'
  const moving = transfers.filter(({ amount }) => amount > 0n)
  const outgoing = moving.filter(({ from, to }) => isOwn(from) && !isOwn(to))
  const incoming = moving.filter(({ from, to }) => !isOwn(from) && isOwn(to))
  if (outgoing.length > 0 && incoming.some((one) => !outgoing.some((other) => isSameToken(one, other))))
    return 'SWAP'
  if (outgoing.length > 0) return outgoing.every(isCollectible) ? 'NFT_WITHDRAW' : 'SEND'
  if (incoming.length > 0) return 'RECEIVE'
  if (moving.length > 0) return 'SELF'
  return isExternal ? 'DAPP_CALL' : transfers.some(({ to }) => isOwn(to)) ? 'RECEIVE' : 'SEND'
}

const isSameToken = (one: TransferRow, other: TransferRow) => one.token === other.token

const isCollectible = ({ standard }: TransferRow) => standard === 'erc721' || standard === 'erc1155'
