import type { Address } from 'viem'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { PLAIN_EFFECTS, type SimulatedRun } from '../../intents/simulated-run.ts'
import { checkRecipient, type RecipientRequest, type Recipient } from '../../safety/check-recipient.ts'
import { hasArrived } from '../check-parties.ts'
import {
  fundersOf,
  paidRunsOf,
  type FundedPart,
  type FunderFilter,
  type QuotePlan,
  type RequestedFunders,
  type SpendingPlan,
} from '../quote-plan.ts'
import { usualKind, type QuoteKind, type MaxRequestBase, type ChainRequest } from '../quote-kind.ts'
import { amountOf, type AmountRequest } from '../amount-request.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { encodeTransfer } from '../../intents/intent.ts'

/** A payment of one token to one recipient, who gets the requested amount; fees come on top. */
export const sendKind: QuoteKind<SendRequest, MaxSendRequest> = {
  ...usualKind,
  async plan(context, request) {
    const { accountId, sending } = context
    const token = tokenIdOf(request.chainId, request.token).address
    const amount = amountOf(request)
    const recipient = await checkRecipient(context, sending.chain.client, accountId, { ...request, token })
    return planSend(token, { amount, decimals: request.decimals, recipient, funders: fundersOf(request) })
  },
  planAgain: async (_, { token, amount, recipient }) => planSend(token, { amount, recipient, funders: {} }),
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
    throw simulationFailed('The recipient would not receive the whole amount')
}

interface Payment {
  amount: bigint | 'max'
  decimals?: number | undefined
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
  isNativeAtPar: false,
  gasKey: token,
  calls: ({ recipient, amount }) => [encodeTransfer(token, recipient, amount)],
})

/** Request to send a token: the recipient gets the amount. */
export interface SendRequest extends ChainRequest, AmountRequest, RecipientRequest, RequestedFunders {
  kind: 'send'
}

/** Request for the most that a wallet could send. */
interface MaxSendRequest extends MaxRequestBase {
  kind: 'send'
}
