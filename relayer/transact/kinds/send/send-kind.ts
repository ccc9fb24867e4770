import type { Address } from 'viem'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { encodeTransfer } from '../../intents/encode-transfer.ts'
import { PLAIN_EFFECTS } from '../../intents/run-effects.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import type { Recipient } from '../../safety/recipient.ts'
import { hasArrived } from '../check-parties.ts'
import { paidRunsOf } from '../paid-runs-of.ts'
import { usualKind, type QuoteKind } from '../quote-kind.ts'
import type { FundedPart, FunderFilter, QuotePlan, SpendingPlan } from '../quote-plan.ts'
import type { MaxSendRequest, SendRequest } from './send-request.ts'
import { badRequest } from '../../../errors.ts'
import { simulationFailed } from '../../../chain/errors.ts'

/** A payment of one token to one recipient, who gets the requested amount; fees come on top. */
export const sendKind: QuoteKind<SendRequest, MaxSendRequest> = {
  ...usualKind,
  async plan(context, request) {
    const { accountId, sending } = context
    const { spendableAddresses, singleAddress, acknowledgedProvenanceMix, maxSend, amount, decimals } =
      request
    const token = tokenIdOf(request.chainId, request.token).address
    if (!maxSend && amount <= 0n) throw badRequest('amount: expected more than zero')
    const recipient = await checkRecipient(context, sending.chain.client, accountId, { ...request, token })
    const funders = { spendableAddresses, singleAddress, acknowledgedProvenanceMix }
    return planSend(token, { amount: maxSend ? 'max' : amount, decimals, recipient, funders })
  },
  planAgain: async (_, { token, amount, recipient }) =>
    planSend(token, { amount, decimals: undefined, recipient, funders: {} }),
  planMax: async (_, { chainId, token, spendableAddresses }) =>
    spendBySending(tokenIdOf(chainId, token).address, { spendableAddresses }),
  checkSubmission(run, { token }, parts) {
    demandArrived(run, token, parts)
  },
  paysRecipient: true,
  activity: (isOwnRecipient) => ({ kind: isOwnRecipient ? 'SELF' : 'SEND', isExchange: false }),
}

function demandArrived(run: SimulatedRun, token: Address, parts: readonly FundedPart[]): void {
  if (!hasArrived(run, token, parts))
    throw simulationFailed('The token would not give the recipient what is sent')
}

interface Payment {
  amount: bigint | 'max'
  decimals: number | undefined
  recipient: Recipient
  funders: FunderFilter
}

function planSend(token: Address, { amount, decimals, recipient, funders }: Payment): QuotePlan {
  return {
    // The recipient never pays itself.
    ...spendBySending(token, { ...funders, except: recipient.address }),
    amount,
    decimals,
    recipient,
    paidIn: paidRunsOf(recipient),
    details: {},
    effects: PLAIN_EFFECTS,
    isVolatile: false,
    checkRun(run, parts) {
      demandArrived(run, token, parts)
    },
    outputOf: (sent, described) => ({ token: described, expected: sent, minimum: sent }),
    members: {},
  }
}

const spendBySending = (token: Address, funders: FunderFilter): SpendingPlan => ({
  token,
  funding: { from: 'holdings', funders, mayJoin: true },
  transport: 'shared',
  price: 'service',
  isNativeAtPar: false,
  gasKey: token,
  calls: ({ recipient, amount }) => [encodeTransfer(token, recipient, amount)],
})
