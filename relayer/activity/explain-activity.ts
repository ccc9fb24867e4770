import {
  unknownOrigin,
  type KnownTokens,
  type MoveId,
  type Origin,
  type Provenance,
} from '../account/provenance/provenance.ts'
import type { AccountVersion } from '../../db/account/changes/account-version.ts'
import { mapInSlices } from '../concurrency/next-slice.ts'
import type { ActivityItem, ActivityTransfer, Explained, ExplainedItems } from './activity.ts'
import { chooseMainTransfer } from './choose-main-transfer.ts'

/** Items that were explained before, with the origins used. */
const explainedOf = new WeakMap<
  ActivityItem,
  { origins: readonly (Origin | null)[]; explained: Explained<ActivityItem> }
>()

/**
 * Adds the origins of their money to confirmed activities: one query for each hundred addresses. An item with
 * unchanged origins is the same object.
 *
 * @param given Facts that need not be read again.
 */
export async function explainActivity(
  provenance: Provenance,
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
      // An address that only passed funds on did not spend them.
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

/** Lists possible spends by the account's addresses: the exchanged token first, then the listed transfer, then all others. */
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
  // Each collectible is a token of its own.
  const token: MoveId['token'] = tokenId === null ? tokenAddress : `${tokenAddress}/${tokenId}`
  return { chainId, txHash, address, token }
}
