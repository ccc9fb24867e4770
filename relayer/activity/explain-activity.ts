import {
  unknownOrigin,
  type KnownTokens,
  type MoveId,
  type Origin,
  type Provenance,
} from '../account/provenance/provenance.ts'
import type { ActivityItem, ActivityTransfer } from './activity.ts'
import { chooseMainTransfer } from './choose-main-transfer.ts'
import type { ExplainedItems } from './explained.ts'

/** Adds to confirmed activities where their money came from: one query for each hundred addresses. */
export async function explainActivity(
  provenance: Pick<Provenance, 'explainMoves'>,
  accountId: string,
  items: readonly ActivityItem[],
  known?: KnownTokens,
): Promise<ExplainedItems<ActivityItem>> {
  const told = await provenance.explainMoves(
    accountId,
    items.flatMap((item) => [
      ...listSpent(item),
      ...item.transfers
        .filter(({ ownEnd }) => ownEnd === 'to' || ownEnd === 'both')
        .flatMap((transfer) => moveOf(item, transfer, transfer.to) ?? []),
    ]),
    known,
  )
  const originOf = (item: ActivityItem, transfer: ActivityTransfer): Origin | null => {
    if (transfer.ownEnd === 'note') return originOfNote(transfer)
    const isSpent = transfer.ownEnd === 'from'
    const move = moveOf(item, transfer, isSpent ? transfer.from : transfer.to)
    return move && (isSpent ? told.left(move) : told.arrived(move))
  }
  return {
    items: items.map((item) => {
      const main = chooseMainTransfer(item)
      // What an address only passed on was not spent by it.
      const spent = listSpent(item)
        .map((move) => told.left(move))
        .find(({ unresolved }) => !unresolved.includes('passed_through'))
      return {
        ...item,
        transfers: item.transfers.map((transfer) => ({ ...transfer, origin: originOf(item, transfer) })),
        sourceOrigin: spent ?? (main ? originOf(item, main) : null),
      }
    }),
    groups: told.groups,
  }
}

/** What addresses of the account may have spent: first what was exchanged, then what the list shows, then all other. */
function listSpent(item: ActivityItem): readonly MoveId[] {
  const { txHash, swap, bridge, fundingAddresses } = item
  const given = swap ?? bridge
  const main = chooseMainTransfer(item)
  const sent = [...(main ? [main] : []), ...item.transfers].filter(
    ({ ownEnd }) => ownEnd === 'from' || ownEnd === 'both',
  )
  return [
    ...(given && txHash !== null
      ? fundingAddresses.map((address) => ({
          chainId: given.source.chainId,
          txHash,
          address,
          token: given.source.tokenAddress,
        }))
      : []),
    ...sent.flatMap((transfer) => moveOf(item, transfer, transfer.from) ?? []),
  ]
}

/** The service does not join the notes of an account with its deposits. */
export const originOfNote = ({ from }: ActivityTransfer): Origin => unknownOrigin(from, 'pool_spend')

function moveOf(
  { txHash }: ActivityItem,
  { chainId, tokenAddress, tokenId }: ActivityTransfer,
  address: MoveId['address'],
): MoveId | null {
  if (txHash === null) return null
  // Each collectible is a thing of its own.
  const token: MoveId['token'] = tokenId === null ? tokenAddress : `${tokenAddress}/${tokenId}`
  return { chainId, txHash, address, token }
}
