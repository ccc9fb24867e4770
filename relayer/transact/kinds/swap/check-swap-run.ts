import { isAddressEqual, type Address } from 'viem'
import { simulationFailed } from '../../../chain/errors.ts'
import { serverBusy } from '../../../errors.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'
import type { FundedPart } from '../quote-plan.ts'
import { netChangesOf } from './net-change.ts'

/** What a swap has to move. */
export interface ExpectedSwap {
  tokenIn: Address
  tokenOut: Address
  recipient: Address
  /** The least that the recipient gets for all parts together, smallest unit. */
  minimum: bigint
}

/**
 * Checks that each funding address gives what it pays and nothing else, and that the recipient gets the output.
 * @throws ServiceError `bad-request` SIMULATION_FAILED when that is not so; `unavailable` when the run does not tell all
 * that was moved.
 */
export function checkSwapRun(
  run: SimulatedRun,
  parts: readonly FundedPart[],
  { tokenIn, tokenOut, recipient, minimum }: ExpectedSwap,
): void {
  if (!run.assetChangesComplete)
    throw serverBusy('What the swap would move cannot be told now. Try again later.')
  for (const part of parts) {
    if (isAddressEqual(part.address, recipient)) continue
    const changes = netChangesOf(run, part.address)
    const isAsSigned = [...changes].every(([token, change]) =>
      isAddressEqual(token as Address, tokenIn) ? change === -(part.amount + part.fee) : change >= 0n,
    )
    if (!isAsSigned) throw simulationFailed('The swap would take more than it says')
  }
  const got = netChangesOf(run, recipient).get(tokenOut.toLowerCase()) ?? 0n
  if (got < minimum) throw simulationFailed('The swap would give less than it says')
}
