import {
  unknownOrigin,
  type KnownTokens,
  type MoveId,
  type Origin,
  type Provenance,
} from '../account/provenance/provenance.ts'
import type { AccountVersion } from '../../db/account/changes/account-version.ts'
import { mapInSlices } from '../concurrency/next-slice.ts'
import type { ActivityItem, ActivityTransfer } from './activity.ts'
import { chooseMainTransfer } from './choose-main-transfer.ts'
import type { Explained, ExplainedItems } from './explained.ts'

/** Of items that were explained before: the origins, then, and the item with them. */
const explainedOf = new WeakMap<
  ActivityItem,
  { origins: readonly (Origin | null)[]; explained: Explained<ActivityItem> }
>()

/**
 * Adds to confirmed activities where their money came from: one query for each hundred addresses. An item that is explained as
 * before is the same object.
 *
 * @param given What need not be read again.
 */
export async function explainActivity(
  provenance: Pick<Provenance, 'explainMoves'>,
  accountId: string,
  items: readonly ActivityItem[],
  given: { known?: KnownTokens; version?: AccountVersion } = {},
): Promise<ExplainedItems<ActivityItem>> {
  const told = await provenance.explainMoves(
    accountId,
    items.flatMap((item) => [
      ...listSpent(item),
      ...item.transfers
        .filter(({ ownEnd }) => ownEnd === 'to' || ownEnd === 'both')
        .flatMap((transfer) => moveOf(item, transfer, transfer.to) ?? []),
    ]),
    given,
  )
  const originOf = (item: ActivityItem, transfer: ActivityTransfer): Origin | null => {
    if (transfer.ownEnd === 'note') return originOfNote(transfer)
    const isSpent = transfer.ownEnd === 'from'
    const move = moveOf(item, transfer, isSpent ? transfer.from : transfer.to)
    return move && (isSpent ? told.left(move) : told.arrived(move))
  }
  return {
    items: await mapInSlices(items, (item) => {
      const main = chooseMainTransfer(item)
      // What an address only passed on was not spent by it.
      const spent = listSpent(item)
        .map((move) => told.left(move))
        .find(({ unresolved }) => !unresolved.includes('passed_through'))
      const sourceOrigin = spent ?? (main ? originOf(item, main) : null)
      const origins = [sourceOrigin, ...item.transfers.map((transfer) => originOf(item, transfer))]
      const before = explainedOf.get(item)
      if (before?.origins.every((origin, place) => origin === origins[place])) return before.explained
      const transfers = item.transfers.map((transfer, place) => ({
        ...transfer,
        origin: origins[place + 1] ?? null,
      }))
      const explained = { ...item, transfers, sourceOrigin }
      explainedOf.set(item, { origins, explained })
      return explained
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
