import type { Address } from 'viem'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { PLAIN_EFFECTS, type SimulatedRun } from '../../intents/simulated-run.ts'
import { checkRecipient, type RecipientRequest, type Recipient } from '../../safety/check-recipient.ts'
import { hasArrived } from '../check-parties.ts'
import {
  paidRunsOf,
  type FundedPart,
  type FunderFilter,
  type QuotePlan,
  type SpendingPlan,
} from '../quote-plan.ts'
import { usualKind, type QuoteKind, type MaxRequestBase, type ChainRequest } from '../quote-kind.ts'
import { badRequest } from '../../../errors.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { encodeTransfer } from '../../intents/intent.ts'

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
    throw simulationFailed('The recipient would not receive the whole amount')
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
  isNativeAtPar: false,
  gasKey: token,
  calls: ({ recipient, amount }) => [encodeTransfer(token, recipient, amount)],
})

/** Request to send a token. Amounts in the token's smallest unit; the zero address is the native coin. */
export interface SendRequest extends ChainRequest, RecipientRequest {
  kind: 'send'
  /** Amount for the recipient. Ignored with maxSend. */
  amount: bigint
  /** Decimals of the token as the client knows them. */
  decimals: number | undefined
  /** Only these addresses may fund it. */
  spendableAddresses: readonly Address[] | undefined
  /** The user accepts that exactly these are joined, whatever the origin of their money. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
  /** Only this address funds it. */
  singleAddress: Address | undefined
  /** Sends everything. */
  maxSend: boolean
}

/** Request for the most that a wallet could send. */
interface MaxSendRequest extends MaxRequestBase {
  kind: 'send'
}
