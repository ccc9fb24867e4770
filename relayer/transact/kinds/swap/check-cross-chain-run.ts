import { isAddressEqual, type Address } from 'viem'
import { simulationFailed } from '../../../chain/errors.ts'
import { serverBusy } from '../../../errors.ts'
import { hasMoved, type SimulatedRun } from '../../intents/simulated-run.ts'
import type { FundedPart } from '../quote-plan.ts'
import { netChangesOf } from './net-change.ts'

/** What the transaction on the origin chain has to move. */
export interface ExpectedDeposit {
  tokenIn: Address
  /** What the bridge takes: the token, or the zero address where the coin itself is paid. */
  paidToken: Address
  bridge: Address
  /** Smallest unit of the paid token. */
  amount: bigint
}

/**
 * Checks that the one funding address gives what it pays and nothing else, and that the bridge gets exactly what it is to
 * carry: a token that keeps a part would leave a deposit that nothing covers.
 * @throws ServiceError `bad-request` SIMULATION_FAILED when that is not so; `unavailable` when the run does not tell all
 * that was moved.
 */
export function checkCrossChainRun(
  run: SimulatedRun,
  parts: readonly FundedPart[],
  { tokenIn, paidToken, bridge, amount }: ExpectedDeposit,
): void {
  if (!run.assetChangesComplete)
    throw serverBusy('What the bridge would take cannot be told now. Try again later.')
  const [part, ...others] = parts
  if (!part || others.length > 0) throw simulationFailed('A bridge is paid by one address')
  const isAsSigned = [...netChangesOf(run, part.address)].every(([token, change]) =>
    isAddressEqual(token as Address, tokenIn) ? change === -(part.amount + part.fee) : change >= 0n,
  )
  if (!isAsSigned) throw simulationFailed('The bridge would take more than it says')
  if (!hasMoved(run, { token: paidToken, from: part.address, to: bridge, amount }))
    throw simulationFailed('The bridge would get less than it is to carry')
}
