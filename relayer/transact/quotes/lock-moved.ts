import type { CommonQueryMethods } from 'slonik'
import { getAddress, type Address } from 'viem'
import {
  insertWithdrawals,
  isCollectibleWithdrawalTaken,
  listLiveWithdrawals,
} from '../../../db/transact/collectible-withdrawals.ts'
import { readSpendable, type Reservation, type Spendable } from '../../../db/transact/reservations.ts'
import { simulationFailed } from '../../chain/errors.ts'
import { quoteLockConflict } from '../errors.ts'
import type { MovedFunds } from '../kinds/check-parties.ts'

/** Extra lock, as one part in so many, if it is free: an app's calls may take a little more when they are mined. */
const ROOM_PART = 20n
/** More collectibles than one call of an app moves in practice. */
const MOST_COLLECTIBLES = 100

/** The address and quote whose calls move assets. */
export interface Mover {
  accountId: string
  chainId: number
  address: Address
  /** The quote with these calls, or the one that it replaces; null where there is none yet. */
  quoteId: string | null
}

/** Reads the address's amounts of all tokens that a run takes or approves. */
async function readAll(
  connection: CommonQueryMethods,
  mover: Mover,
  { tokens, allowed }: MovedFunds,
): Promise<ReadonlyMap<Address, Spendable>> {
  const rows = await readSpendable(connection, mover, [...new Set([...tokens.keys(), ...allowed.keys()])])
  return new Map(rows.map((row) => [getAddress(row.token), row]))
}

/**
 * True if calls take or approve funds that other quotes have locked. Of a token without locks they may take more than
 * the index knows.
 */
function isPromised({ tokens, allowed }: MovedFunds, spendable: ReadonlyMap<Address, Spendable>): boolean {
  return [...spendable].some(([token, { held, lockedByOthers }]) => {
    const wanted = (tokens.get(token) ?? 0n) + (allowed.get(token) ?? 0n)
    return lockedByOthers > 0n && wanted > 0n && wanted > held - lockedByOthers
  })
}

/** True if another quote of the account sends away a collectible that these calls take or approve. */
async function isCollectiblePromised(
  connection: CommonQueryMethods,
  { accountId, chainId, quoteId }: Mover,
  { collectibles, allowedCollections }: MovedFunds,
): Promise<boolean> {
  const contracts = new Set([...collectibles.map(({ contract }) => contract), ...allowedCollections])
  if (contracts.size === 0) return false
  const live = await listLiveWithdrawals(connection, accountId, { chainId, contracts: [...contracts] })
  return live.some(
    (one) =>
      one.quoteId !== quoteId &&
      (allowedCollections.some((contract) => contract === one.contract) ||
        collectibles.some(({ contract, tokenId }) => contract === one.contract && tokenId === one.tokenId)),
  )
}

/**
 * Returns the reservations that a quote needs beside its payment, so that other quotes do not spend the tokens that its
 * calls take.
 * @param paid The amount that the address pays in the quote's token.
 * @throws ServiceError `conflict` QUOTE_LOCK_CONFLICT if another quote has locked them, or if the calls would approve a
 * spender for locked funds.
 */
export async function reserveMoved(
  connection: CommonQueryMethods,
  mover: Mover,
  paid: Reservation,
  moved: MovedFunds,
): Promise<Reservation[]> {
  if (moved.collectibles.length > MOST_COLLECTIBLES)
    throw simulationFailed(`These calls move more than ${MOST_COLLECTIBLES} collectibles: make fewer`)
  const spendable = await readAll(connection, mover, moved)
  if (isPromised(moved, spendable) || (await isCollectiblePromised(connection, mover, moved)))
    throw quoteLockConflict()
  /** Returns the amount of a token to lock beside `paid`. */
  const lockableOf = (token: Address, taken: bigint): bigint => {
    const already = token === paid.token ? paid.amount : 0n
    const { held = 0n, lockedByOthers = 0n } = spendable.get(token) ?? {}
    const beyond = taken - already
    const wanted = beyond + beyond / ROOM_PART
    const free = held - lockedByOthers - already
    const most = wanted < free ? wanted : free
    return most > 0n ? most : 0n
  }
  const own = lockableOf(paid.token, moved.tokens.get(paid.token) ?? 0n)
  const beside = [...moved.tokens].flatMap(([token, taken]): Reservation[] => {
    const amount = token === paid.token ? 0n : lockableOf(token, taken)
    return amount > 0n ? [{ ...paid, token, amount, moved: amount, networkFee: 0n, serviceFee: 0n }] : []
  })
  return [{ ...paid, amount: paid.amount + own, moved: own }, ...beside]
}

/** Locks the collectibles that a quote's calls move. @throws ServiceError `conflict` QUOTE_LOCK_CONFLICT. */
export async function lockCollectibles(
  transaction: CommonQueryMethods,
  quote: { quoteId: string; accountId: string; chainId: number },
  { collectibles }: MovedFunds,
): Promise<void> {
  if (collectibles.length === 0) return
  const rows = collectibles.map((one) => ({ ...one, chainId: quote.chainId }))
  await insertWithdrawals(transaction, quote, rows).catch((error: unknown) => {
    throw isCollectibleWithdrawalTaken(error) ? quoteLockConflict() : error
  })
}

/**
 * True if a quote has locked everything that a run of its calls takes. The run must also approve no spender for other
 * quotes' funds.
 */
export async function hasLocked(
  connection: CommonQueryMethods,
  mover: Mover & { quoteId: string },
  moved: MovedFunds,
): Promise<boolean> {
  const { accountId, chainId, quoteId } = mover
  const spendable = await readAll(connection, mover, moved)
  if (isPromised(moved, spendable) || (await isCollectiblePromised(connection, mover, moved))) return false
  const isCovered = [...moved.tokens].every(([token, amount]) => {
    const { held = 0n, lockedHere = 0n } = spendable.get(token) ?? {}
    return amount <= lockedHere || lockedHere >= held
  })
  if (!isCovered || moved.collectibles.length === 0) return isCovered
  const contracts = [...new Set(moved.collectibles.map(({ contract }) => contract))]
  const live = await listLiveWithdrawals(connection, accountId, { chainId, contracts })
  return moved.collectibles.every(({ contract, tokenId }) =>
    live.some((one) => one.quoteId === quoteId && one.contract === contract && one.tokenId === tokenId),
  )
}
