import { z } from 'zod'
import type { MaxSendRequest, SendRequest } from '../../../../relayer/transact/kinds/send/send-request.ts'
import { badRequest } from '../../../../relayer/errors.ts'
import { address, amount } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import { demandMember, type KindShapes, type MaxRequestBody, type RequestBody } from '../kind-shapes.ts'
import { recipientMembers } from '../request-members.ts'

const request = {
  token: described(
    address.optional(),
    'Contract of the token to send; the zero address is the native coin. A send needs it.',
  ),
  amount: described(
    amount.optional(),
    'What the recipient is to get, in the smallest unit. Ignored with `maxSend`.',
  ),
  maxSend: described(z.boolean().optional(), 'True sends all that can be sent after fees.'),
  ...recipientMembers,
}

const maxRequest = {}

/** The API's part of a payment. */
export const sendShapes: KindShapes<SendRequest, MaxSendRequest> = {
  request,
  maxRequest,
  answer: {},
  readRequest(body: RequestBody<typeof request>) {
    const maxSend = body.maxSend ?? false
    const token = demandMember('token', body.token)
    const destination = demandMember('destinationAddress', body.destinationAddress)
    if (body.amount === undefined && !maxSend) throw badRequest('amount: expected an amount, or maxSend')
    return {
      kind: 'send',
      chainId: body.chainId,
      token,
      amount: body.amount ?? 0n,
      decimals: body.decimals,
      destination,
      acknowledgedMatch: body.acknowledgedAddressPoisoningMatch ?? undefined,
      acknowledgedContract: body.acknowledgedContractRecipient ?? undefined,
      spendableAddresses: body.spendableAddresses,
      singleAddress: body.singleAddress ?? undefined,
      maxSend,
      ttl: body.ttl,
    }
  },
  readMaxRequest: ({ chainId, token, spendableAddresses }: MaxRequestBody<typeof maxRequest>) => ({
    kind: 'send',
    chainId,
    token,
    spendableAddresses,
  }),
}
