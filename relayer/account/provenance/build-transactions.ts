import { zeroAddress, type Address, type Hash } from 'viem'
import type { ReachedMovement } from '../../../db/account/provenance/reach-movements.ts'
import type { TransactionFact } from '../../../db/account/provenance/transaction-facts.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { matchRelays } from './match-relays.ts'
import type { Movement, MovingTransaction } from './movements.ts'
import type { PrivateOrigin } from './provenance.ts'

/** What a transaction is called in a trace. */
export const transactionId = ({ chainId, txHash }: { chainId: number; txHash: string }) =>
  `${chainId}:${txHash}`

/** A fact of a transaction. */
export interface ToldFact {
  chainId: number
  txHash: Hash
  fact: TransactionFact
}

/** A transaction to be traced, and what it paid out of pools. */
export interface BuiltTransaction extends MovingTransaction {
  privatePayments: readonly { to: Address; token: Address; origin: PrivateOrigin }[]
}

/** How rows are understood. */
export interface Judgement {
  /** Nobody asked for that amount of the token, in its smallest unit. */
  isUnsolicited(chainId: number, token: Address, amount: bigint): boolean
  /** The account's own, as far as it is looked at. */
  isOwn(address: Address): boolean
  /** Nobody vouches for the token: its contract may say that anybody paid anybody. */
  isForgeable(chainId: number, token: Address): boolean
  /** The kind of activity that a kind of quote is, by its name. */
  actionOf(kind: string): string
}

/** Makes transactions of the rows that are known of them, in the same order. */
export function buildTransactions(
  rows: readonly ReachedMovement[],
  facts: readonly ToldFact[],
  judgement: Judgement,
): readonly BuiltTransaction[] {
  const factsOf = Map.groupBy(facts, transactionId)
  const groups = Map.groupBy(rows, ([chainId, txHash, blockHash, , , position]) =>
    txHash === null ? `${chainId}:${blockHash}:${position}` : transactionId({ chainId, txHash }),
  )
  return [...groups].flatMap(([id, moved]) => {
    const [first] = moved
    if (!first) return []
    const [chainId, txHash] = first
    const known = (factsOf.get(id) ?? []).map(({ fact }) => fact)
    const acting = new Set(known.flatMap((fact) => (fact.kind === 'acted' ? fact.address : [])))
    const movements = moved.map((row) => describeMovement(row, judgement, acting))
    const events = known.filter((fact) => 'logIndex' in fact)
    const quote = known.find((fact) => fact.kind === 'quote')
    return {
      id,
      chainId,
      txHash,
      movements,
      relayed: events.flatMap(({ kind, contract, asset, value, fee }) =>
        kind === 'relay' && asset !== null && value !== null && fee !== null
          ? [
              {
                entrypoint: contract,
                token: asset === NATIVE_ASSET ? zeroAddress : asset,
                received: value - fee,
              },
            ]
          : [],
      ),
      recovered: known
        .filter((fact) => fact.kind === 'ragequit')
        .map(({ account, depositedBy }) => ({
          depositor: account,
          depositedBy: depositedBy && transactionId({ chainId, txHash: depositedBy }),
        })),
      action: quote ? judgement.actionOf(quote.name) : null,
      departs: known.filter((fact) => fact.kind === 'departed').map(({ orderId }) => orderId),
      delivers: known.filter((fact) => fact.kind === 'delivered'),
      privatePayments:
        txHash === null
          ? []
          : matchRelays(movements, events).map(({ transfer, relay, withdrawal }) => ({
              to: transfer.to,
              token: transfer.token,
              origin: {
                chainId,
                txHash,
                index: transfer.index,
                entrypoint: relay.contract,
                pool: withdrawal.contract,
                poolLogIndex: withdrawal.logIndex,
              },
            })),
    }
  })
}

function describeMovement(
  [chainId, , , , source, position, item, token, tokenId, from, to, amount]: ReachedMovement,
  { isUnsolicited, isForgeable, isOwn }: Judgement,
  acting: ReadonlySet<Address>,
): Movement {
  const isVouchedFor = tokenId === null && !isForgeable(chainId, token)
  return {
    // What only such a contract says of an address that did nothing is no payment by it.
    from: isVouchedFor || !isOwn(from) || acting.has(from) ? from : zeroAddress,
    to,
    // Each collectible is a thing of its own.
    token: tokenId === null ? token : `${token}/${tokenId}`,
    amount,
    index: source === 'call' ? item : position,
    // Nobody can tell what a collectible is worth.
    isUnsolicited: tokenId !== null || isUnsolicited(chainId, token, amount),
  }
}
