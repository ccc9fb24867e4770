import type { Address } from 'viem'
import { z } from 'zod'
import { insertCashWithdrawal, isCashWithdrawalTaken } from '../../../../db/transact/cash-withdrawals.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/run-effects.ts'
import { hasArrived } from '../check-parties.ts'
import type { CashOutVenue, DepositState } from '../../venues/cash-out/cash-out-venue.ts'
import type { QuotePlan } from '../quote-plan.ts'
import { withdrawalUnderWay } from './errors.ts'
import type { OfframpWithdrawRequest } from './offramp-withdraw-request.ts'

/** Details of a withdrawal that its refresh and its submission need. */
export const cashWithdrawalDetails = z.object({
  depositId: z.string(),
  /** Amount to take back, decimal digits; null for all. */
  amount: z.string().nullable(),
  escrow: z.string().transform((text) => text as Address),
  /** Amount that comes back by the chain's state at the quote, decimal digits. */
  withdrawn: z.string(),
})

/** A deposit of the account in an escrow. */
export interface OwnEscrowed {
  chainId: number
  escrow: Address
  depositId: bigint
  depositor: Address
  derivationNonce: number
}

/**
 * Plans one intent by the depositor: it takes tokens back, and pays for the gas out of them.
 * @param takesAll True if the deposit is closed: no amount was named, or one that leaves nothing.
 */
export function planCashWithdrawal(
  venue: CashOutVenue,
  own: OwnEscrowed,
  { token, withdrawable }: DepositState,
  {
    depositId,
    amount,
    takesAll,
  }: Pick<OfframpWithdrawRequest, 'depositId' | 'amount'> & { takesAll: boolean },
): QuotePlan {
  const { escrow, depositor, derivationNonce } = own
  const withdrawn = amount ?? withdrawable
  return {
    token,
    funding: { from: 'calls', address: depositor, derivationNonce, amount: withdrawn },
    transport: 'shared',
    price: 'gas',
    isNativeAtPar: false,
    gasKey: `offramp_withdraw ${escrow} ${own.depositId}`,
    calls: () => venue.withdrawCalls(own, takesAll ? null : amount),
    amount: 'max',
    decimals: undefined,
    recipient: { address: depositor, name: null, owned: true, poisoning: null },
    details: {
      depositId,
      amount: amount === null ? null : String(amount),
      escrow,
      withdrawn: String(withdrawn),
    } satisfies z.input<typeof cashWithdrawalDetails>,
    effects: PLAIN_EFFECTS,
    checkRun(run, parts) {
      if (!hasArrived(run, token, parts))
        throw simulationFailed('The escrow would give back less than it has')
    },
    isVolatile: true,
    // A buyer may claim a part of the whole before the block; a named amount comes whole or not at all.
    outputOf: (kept, described) => ({
      token: described,
      expected: kept,
      minimum: takesAll ? 0n : kept,
    }),
    members: { depositId, withdrawnAmount: String(withdrawn) },
    async keep(transaction, quote) {
      await insertCashWithdrawal(transaction, quote, own).catch((error: unknown) => {
        throw isCashWithdrawalTaken(error) ? withdrawalUnderWay() : error
      })
    },
  }
}
