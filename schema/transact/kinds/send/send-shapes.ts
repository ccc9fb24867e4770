import type { MaxSendRequest, SendRequest } from '../../../../relayer/transact/kinds/send/send-request.ts'
import { badRequest } from '../../../../relayer/errors.ts'
import { demandMember, type KindShapes, type MaxRequestBody, type RequestBody } from '../kind-shapes.ts'
import { amountMembers, recipientMembers } from '../request-members.ts'

/** Members of a request that names a token, an amount and a recipient. */
export const sendMembers = {
  ...amountMembers,
  ...recipientMembers,
}

const maxRequest = {}

/** The API's part of a payment. */
export const sendShapes: KindShapes<SendRequest, MaxSendRequest> = {
  request: sendMembers,
  needs: ['token', 'destinationAddress'],
  maxRequest,
  answer: {},
  readRequest(body: RequestBody<typeof sendMembers>) {
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
      acknowledgedProvenanceMix: body.acknowledgedProvenanceMix ?? undefined,
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
