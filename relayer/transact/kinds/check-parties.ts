import { isAddressEqual, type Address, zeroAddress, getAddress } from 'viem'
import { simulationFailed } from '../../chain/errors.ts'
import { hasGained, type SimulatedRun, hasMoved } from '../intents/simulated-run.ts'
import type { FundedPart } from './quote-plan.ts'
import { serverBusy } from '../../errors.ts'
import { decodeApprovals } from '../../../proving/simulation/assets/check-approvals.ts'

/** Limits that apply to every run. */
export interface PartyTerms {
  /** The spent token; for collectibles, their contract. */
  token: Address
  /** Null if no fee is paid. */
  feeReceiver: Address | null
  /** The calls may also move other assets of the payers, at the user's own judgement. */
  movesOthers: boolean
}

/** True if the recipients' balances show the sent amounts. */
export const hasArrived = (
  run: SimulatedRun,
  token: Address,
  parts: readonly Pick<FundedPart, 'recipient' | 'amount'>[],
): boolean =>
  [...Map.groupBy(parts, ({ recipient }) => recipient)].every(([owner, paid]) =>
    hasGained(run, { token, owner, amount: paid.reduce((sum, { amount }) => sum + amount, 0n) }),
  )

/**
 * Checks the promises of every kind, by the token's own balances and not by its logs. No payer pays more than signed,
 * the fee arrives, and nothing else leaves the payers.
 * @throws ServiceError `bad-request` SIMULATION_FAILED when one is broken; `unavailable` when the balances could not be
 * read.
 */
export function checkParties(
  run: SimulatedRun,
  parts: readonly FundedPart[],
  { token, feeReceiver, movesOthers }: PartyTerms,
): void {
  const fee = parts.reduce((sum, part) => sum + part.fee, 0n)
  if (feeReceiver && fee > 0n && !hasGained(run, { token, owner: feeReceiver, amount: fee }))
    throw simulationFailed('The service would not receive the whole fee')
  if (movesOthers) return
  for (const part of parts) {
    if (!hasGained(run, { token, owner: part.address, amount: -(part.amount + part.fee) }))
      throw simulationFailed('The token would charge more than the sent amount')
    const takesMore = [...netChangesOf(run, part.address)].some(
      ([other, change]) => change < 0n && !isAddressEqual(other as Address, token),
    )
    const takesCollectible = run.assetChanges.some(
      ({ type, from, token: contract }) =>
        (type === 'erc721' || type === 'erc1155') &&
        isAddressEqual(from, part.address) &&
        !(contract && isAddressEqual(contract, token)),
    )
    if (takesMore || takesCollectible)
      throw simulationFailed('The calls would move other assets of the paying address')
  }
}

/**
 * Returns the change of an address's holdings in a run, by the address of the coin or token. Smallest units; the zero
 * address is the native coin.
 */
export function netChangesOf({ assetChanges }: SimulatedRun, address: Address): ReadonlyMap<string, bigint> {
  const changes = new Map<string, bigint>()
  const own = address.toLowerCase()
  for (const { type, token, from, to, amount } of assetChanges) {
    if (type !== 'native' && type !== 'erc20') continue
    const key = (token ?? zeroAddress).toLowerCase()
    const received = to.toLowerCase() === own ? amount : 0n
    const given = from.toLowerCase() === own ? amount : 0n
    if (received !== given) changes.set(key, (changes.get(key) ?? 0n) + received - given)
  }
  return changes
}

/** Movements that a transaction with a deposit to a venue must show. */
interface ExpectedVenueDeposit {
  /** Name of the venue in errors. */
  name: 'bridge' | 'escrow'
  /** True if the run reports everything that the check needs. */
  isTold: boolean
  tokenIn: Address
  /** The token that the venue takes; the zero address if it is paid in the coin. */
  paidToken: Address
  taker: Address
  /** Smallest unit of the paid token. */
  amount: bigint
}

/**
 * Checks that the one funding address gives what it pays and nothing else, and that the venue gets exactly the deposit.
 * A token that keeps a part would leave a deposit that nothing covers.
 * @throws ServiceError `bad-request` SIMULATION_FAILED when that is not so; `unavailable` when the run does not report
 * all movements.
 */
export function checkVenueDeposit(
  run: SimulatedRun,
  parts: readonly FundedPart[],
  { name, isTold, tokenIn, paidToken, taker, amount }: ExpectedVenueDeposit,
): void {
  if (!isTold)
    throw serverBusy(`The amount that the ${name} would take cannot be determined now. Try again later.`)
  const [part, ...others] = parts
  if (!part || others.length > 0) throw simulationFailed(`The ${name} is paid by one address`)
  const isAsSigned = [...netChangesOf(run, part.address)].every(([token, change]) =>
    isAddressEqual(token as Address, tokenIn) ? change === -(part.amount + part.fee) : change >= 0n,
  )
  if (!isAsSigned) throw simulationFailed(`The ${name} would take more than the agreed amount`)
  if (!hasMoved(run, { token: paidToken, from: part.address, to: taker, amount }))
    throw simulationFailed(`The ${name} would receive less than the deposited amount`)
}

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
