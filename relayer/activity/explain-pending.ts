import type { HoldingId, Origin, Provenance } from '../account/provenance/provenance.ts'
import type { ActivityTransfer, ExplainedItems } from './activity.ts'
import { originOfNote } from './explain-activity.ts'
import type { PendingItem } from './pending.ts'

/** A submitted quote, and the holding that pays most of it; null if it spends no holding. */
export interface FundedItem {
  item: PendingItem
  source: HoldingId | null
}

/**
 * Adds the origins of their money to pending items. Before a transaction is indexed, the origin is that of the paying
 * holdings; afterwards, of the amounts that it took. A pool's repayment is not traced before it arrives.
 */
export async function explainPending(
  provenance: Provenance,
  accountId: string,
  funded: readonly FundedItem[],
): Promise<ExplainedItems<PendingItem>> {
  const holdings = funded.flatMap(({ item, source }) => [
    ...(source ? [source] : []),
    ...item.transfers.flatMap((transfer) => holdingOf(transfer) ?? []),
  ])
  const moves = funded.flatMap(({ item, source }) =>
    [source, ...item.transfers.map(holdingOf)].flatMap((holding) =>
      holding ? item.txHashes.map((txHash) => ({ ...holding, txHash })) : [],
    ),
  )
  // In this order: a transaction indexed in between is still found among the moves, which then take precedence.
  const present = await provenance.explainHoldings(accountId, holdings)
  const past = await provenance.explainMoves(accountId, moves)
  const originOf = (holding: HoldingId, { txHashes }: PendingItem): Origin =>
    txHashes
      .map((txHash) => past.left({ ...holding, txHash }))
      .find(({ unresolved }) => !unresolved.includes('passed_through')) ?? present.of(holding)
  return {
    items: funded.map(({ item, source }) => ({
      ...item,
      transfers: item.transfers.map((transfer) => ({
        ...transfer,
        origin: originOfTransfer(transfer, item),
      })),
      sourceOrigin: source && originOf(source, item),
    })),
    groups: [...new Map([...present.groups, ...past.groups].map((group) => [group.id, group])).values()],
  }

  function originOfTransfer(transfer: ActivityTransfer, item: PendingItem): Origin | null {
    if (transfer.ownEnd === 'note') return originOfNote(transfer)
    const holding = holdingOf(transfer)
    return holding && originOf(holding, item)
  }
}

/** Returns the holding that a transfer will be paid from; collectibles are no holdings. */
function holdingOf({ ownEnd, chainId, from, tokenAddress, tokenId }: ActivityTransfer): HoldingId | null {
  if (tokenId !== null || ownEnd === 'to' || ownEnd === 'note') return null
  return { chainId, address: from, token: tokenAddress }
}
