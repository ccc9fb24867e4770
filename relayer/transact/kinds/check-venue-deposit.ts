import { isAddressEqual, type Address } from 'viem'
import { simulationFailed } from '../../chain/errors.ts'
import { serverBusy } from '../../errors.ts'
import { hasMoved, type SimulatedRun } from '../intents/simulated-run.ts'
import type { FundedPart } from './quote-plan.ts'
import { netChangesOf } from './net-change.ts'

/** Movements that a transaction with a deposit to a venue must show. */
export interface ExpectedVenueDeposit {
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
  if (!isTold) throw serverBusy(`What the ${name} would take cannot be told now. Try again later.`)
  const [part, ...others] = parts
  if (!part || others.length > 0) throw simulationFailed(`The ${name} is paid by one address`)
  const isAsSigned = [...netChangesOf(run, part.address)].every(([token, change]) =>
    isAddressEqual(token as Address, tokenIn) ? change === -(part.amount + part.fee) : change >= 0n,
  )
  if (!isAsSigned) throw simulationFailed(`The ${name} would take more than it says`)
  if (!hasMoved(run, { token: paidToken, from: part.address, to: taker, amount }))
    throw simulationFailed(`The ${name} would get less than is deposited`)
}
