import { isAddressEqual, type Address, hexToBigInt, slice, toEventHash, type Hex } from 'viem'
import { simulationFailed } from '../../../chain/errors.ts'
import { serverBusy } from '../../../errors.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'
import type { FundedPart } from '../quote-plan.ts'
import { sumPoolPayments } from '../../venues/swap/uniswap/sum-pool-payments.ts'
import { netChangesOf } from '../check-parties.ts'

/** Movements that a swap must show. */
export interface ExpectedSwap {
  tokenIn: Address
  tokenOut: Address
  /** Least and most for the recipient from all parts together, smallest unit; null for no limit. */
  least: bigint
  most: bigint | null
}

/**
 * Returns the recipient of a swap's output: one for all parts.
 * @throws Error for no parts.
 */
export function outputPayeeOf([part]: readonly FundedPart[]): Address {
  if (!part) throw new Error('a swap has no payer')
  return part.recipient
}

/** Returns the amount of a token that a run gives an address, smallest unit. */
export const deliveredTo = (run: SimulatedRun, recipient: Address, token: Address): bigint =>
  netChangesOf(run, recipient).get(token.toLowerCase()) ?? 0n

/**
 * Checks that each funding address gives what it pays and nothing else, and leaves no allowance. The recipient must get
 * the output in full, to the unit, as pools report it: the minimum may count those reports.
 * @throws ServiceError `bad-request` SIMULATION_FAILED when that is not so; `unavailable` when the run does not report
 * all movements.
 */
export function checkSwapRun(
  run: SimulatedRun,
  parts: readonly FundedPart[],
  { tokenIn, tokenOut, least, most }: ExpectedSwap,
): void {
  if (!run.watchedChangesComplete)
    throw serverBusy('The movements of the swap cannot be determined now. Try again later.')
  const recipient = outputPayeeOf(parts)
  for (const part of parts) {
    if (findApproval(run, part.address)) throw simulationFailed('The swap would leave an approval behind')
    if (isAddressEqual(part.address, recipient)) continue
    const changes = netChangesOf(run, part.address)
    const isAsSigned = [...changes].every(([token, change]) =>
      isAddressEqual(token as Address, tokenIn) ? change === -(part.amount + part.fee) : change >= 0n,
    )
    if (!isAsSigned) throw simulationFailed('The swap would take more than the agreed amount')
  }
  const got = deliveredTo(run, recipient, tokenOut)
  if (sumPoolPayments(run, recipient) > got)
    throw simulationFailed('The token keeps a part of each transfer, and its pool does not account for that')
  if (got < least) throw simulationFailed('The swap would give less than quoted')
  if (most !== null && got > most) throw simulationFailed('The swap would give more than quoted')
}

/** ERC-20 and ERC-721 share this event; ERC-721 indexes its last member, the token id. */
const APPROVAL = toEventHash('Approval(address,address,uint256)')
/** Event of ERC-721 and ERC-1155. */
const APPROVAL_FOR_ALL = toEventHash('ApprovalForAll(address,address,bool)')

const addressIn = (word: Hex): Address => slice(word, 12)

/**
 * Finds a spender to whom a run leaves an allowance over assets of the owner; null without one. An allowance that is
 * used up without an event counts as remaining.
 */
function findApproval({ logs }: SimulatedRun, owner: Address): Address | null {
  const standing = new Map<string, Address>()
  const own = owner.toLowerCase()
  for (const { address, topics, data } of logs) {
    const [event, ownerWord, spenderWord, numberWord] = topics
    if ((event !== APPROVAL && event !== APPROVAL_FOR_ALL) || !ownerWord || !spenderWord) continue
    if (addressIn(ownerWord).toLowerCase() !== own) continue
    // An approval of one token id replaces the one before it; other approvals are tracked by spender.
    const key = `${address} ${event} ${numberWord ?? spenderWord}`.toLowerCase()
    const given = numberWord === undefined ? data : spenderWord
    if (given === '0x' || hexToBigInt(given) === 0n) standing.delete(key)
    else standing.set(key, addressIn(spenderWord))
  }
  const [first] = standing.values()
  return first ?? null
}
