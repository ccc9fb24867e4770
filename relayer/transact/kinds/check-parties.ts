import { isAddressEqual, type Address } from 'viem'
import { simulationFailed } from '../../chain/errors.ts'
import { hasGained, type SimulatedRun } from '../intents/simulated-run.ts'
import { netChangesOf } from './net-change.ts'
import type { FundedPart } from './quote-plan.ts'

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
    throw simulationFailed('The token would not give us the whole fee')
  if (movesOthers) return
  for (const part of parts) {
    if (!hasGained(run, { token, owner: part.address, amount: -(part.amount + part.fee) }))
      throw simulationFailed('The token would take more than is sent')
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
      throw simulationFailed('This would take something else from the address that pays')
  }
}
