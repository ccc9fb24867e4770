import type { HoldingId, Origin, Provenance } from '../account/provenance/provenance.ts'
import type { ActivityTransfer } from './activity.ts'
import { originOfNote } from './explain-activity.ts'
import type { ExplainedItems } from './explained.ts'
import type { PendingItem } from './pending.ts'

/** A submitted quote, and the holding that pays most of it; null for what spends no holding. */
export interface FundedItem {
  item: PendingItem
  source: HoldingId | null
}

/**
 * Adds to what is under way where its money comes from: what its transactions took, once they are indexed, and before what
 * its addresses hold. What a pool is to pay back is not traced until it did.
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
  // In this order: a transaction that is indexed in between is found, and what it left behind is not told of what it took.
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

/** The holding that a transfer is to be paid from; collectibles are no amounts that are held. */
function holdingOf({ ownEnd, chainId, from, tokenAddress, tokenId }: ActivityTransfer): HoldingId | null {
  if (tokenId !== null || ownEnd === 'to' || ownEnd === 'note') return null
  return { chainId, address: from, token: tokenAddress }
}
