import {
  amountMembers,
  needed,
  recipientMembers,
  type KindShapes,
  type PlainMaxBody,
  type RequestBody,
} from '../kind-shapes.ts'

const request = {
  ...amountMembers,
  token: needed(amountMembers.token, 'Contract of the token to send; the zero address is the native coin.'),
  ...recipientMembers,
  destinationAddress: needed(recipientMembers.destinationAddress, 'The recipient: an address or a name.'),
}

/** The API's part of a payment. */
export const sendShapes: KindShapes = {
  request,
  maxRequest: {},
  answer: {},
  readRequest: (body: RequestBody<typeof request>) => ({ kind: 'send', ...body }),
  readMaxRequest: (body: PlainMaxBody) => ({ kind: 'send', ...body }),
}
