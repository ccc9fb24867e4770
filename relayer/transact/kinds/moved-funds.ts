import { getAddress, isAddressEqual, zeroAddress, type Address } from 'viem'
import { decodeApprovals } from '../../../proving/simulation/assets/decode-approvals.ts'
import type { SimulatedRun } from '../intents/simulated-run.ts'
import { netChangesOf } from './net-change.ts'

/** Assets that a run takes from an address, and allowances that it grants. Addresses are checksummed. */
export interface MovedFunds {
  /** Smallest unit, by token; the zero address is the native coin. */
  tokens: ReadonlyMap<Address, bigint>
  /** Sum of the allowances that the run leaves, by token. */
  allowed: ReadonlyMap<Address, bigint>
  collectibles: readonly { contract: Address; tokenId: bigint }[]
  /** Contracts of collectibles that the run approved for another address. */
  allowedCollections: readonly Address[]
}

/**
 * Returns the assets that a run takes from an address, by the logs, or by balances where these show more.
 * @param run With the balances of tokens that other quotes have locked there.
 */
export function movedFunds(run: SimulatedRun, owner: Address): MovedFunds {
  const tokens = new Map<Address, bigint>()
  const lose = (token: string, amount: bigint) => {
    const key = getAddress(token)
    if (amount > (tokens.get(key) ?? 0n)) tokens.set(key, amount)
  }
  for (const [token, change] of netChangesOf(run, owner)) lose(token, -change)
  for (const { owner: watched, token, change } of run.watched ?? [])
    if (change !== null && isAddressEqual(watched, owner)) lose(token ?? zeroAddress, -change)
  const given = decodeApprovals(run.logs).approvals.filter((one) => isAddressEqual(one.owner, owner))
  const allowances = new Map(
    given
      .filter(({ standard }) => standard === 'erc20')
      .map((one) => [`${one.token} ${one.spender} ${one.via}`, one]),
  )
  const allowed = new Map<Address, bigint>()
  for (const { token, amount } of allowances.values()) {
    const key = getAddress(token)
    allowed.set(key, (allowed.get(key) ?? 0n) + amount)
  }
  return {
    tokens,
    allowed,
    collectibles: collectiblesOf(run, owner),
    allowedCollections: [
      ...new Set(
        given.flatMap((one) => (one.standard === 'erc721' && one.amount > 0n ? getAddress(one.token) : [])),
      ),
    ],
  }
}

/** Returns the collectibles that leave the address and do not come back. */
function collectiblesOf({ assetChanges }: SimulatedRun, owner: Address): MovedFunds['collectibles'] {
  const left = new Map<string, { contract: Address; tokenId: bigint }>()
  for (const { type, token, tokenId, from, to } of assetChanges) {
    if ((type !== 'erc721' && type !== 'erc1155') || token === null || tokenId === null) continue
    const key = `${token} ${tokenId}`.toLowerCase()
    if (isAddressEqual(from, owner)) left.set(key, { contract: getAddress(token), tokenId })
    if (isAddressEqual(to, owner) && type === 'erc721') left.delete(key)
  }
  return [...left.values()]
}
