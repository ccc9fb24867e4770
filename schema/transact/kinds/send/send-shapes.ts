import {
  amountMembers,
  needed,
  readAmount,
  readFunders,
  readRecipient,
  recipientMembers,
  type KindShapes,
  type PlainMaxBody,
  type RequestBody,
} from '../kind-shapes.ts'

const request = {
  ...amountMembers,
  token: needed(amountMembers.token),
  ...recipientMembers,
  destinationAddress: needed(recipientMembers.destinationAddress),
}

/** The API's part of a payment. */
export const sendShapes: KindShapes = {
  request,
  maxRequest: {},
  answer: {},
  readRequest: (body: RequestBody<typeof request>) => ({
    kind: 'send',
    chainId: body.chainId,
    token: body.token,
    destination: body.destinationAddress,
    ...readAmount(body),
    ...readRecipient(body),
    ...readFunders(body),
    acknowledgedProvenanceMix: body.acknowledgedProvenanceMix ?? undefined,
    ttl: body.ttl,
  }),
  readMaxRequest: ({ chainId, token, spendableAddresses }: PlainMaxBody) => ({
    kind: 'send',
    chainId,
    token,
    spendableAddresses,
  }),
}
