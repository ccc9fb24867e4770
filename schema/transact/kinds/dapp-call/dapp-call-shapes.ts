import { size, zeroAddress } from 'viem'
import { z } from 'zod'
import { badRequest } from '../../../../relayer/errors.ts'
import { address, amount, bytes, isPlainLine } from '../../../define/scalars.ts'
import { described, shape } from '../../../define/shape.ts'
import { amountMembers, needed, type KindShapes, type RequestBody } from '../kind-shapes.ts'

const MAX_CALLS = 16
/** Total of all calls. */
const MAX_DATA_BYTES = 65_536

const dappCall = shape('DappCallItem', 'One call of an app.', {
  to: described(address, 'The contract or person that is called; not the account itself.'),
  value: described(amount.optional(), 'Wei that the call carries; 0 unless given.'),
  data: described(bytes.optional(), 'Calldata; empty unless given.'),
})

const origin = described(
  z.string().min(1).max(255).nullish(),
  'The page that asks, as a browser writes its origin: `https://app.example`. A call of an app needs it.',
)
const connectedAddress = described(
  address.nullish(),
  'The account’s address that the app knows, which calls and pays; `dapp-addresses` has it. A call of an app needs it.',
)

const request = {
  origin: needed(origin),
  calls: needed(
    described(
      z.array(dappCall).min(1).max(MAX_CALLS).optional(),
      'The app’s calls, at most 16 with 65,536 bytes of calldata, in their order, all or nothing. A call of an app needs it.',
    ),
  ),
  connectedAddress: needed(connectedAddress),
  description: described(
    z
      .string()
      .max(200)
      .refine(isPlainLine, 'expected one line without control characters or blanks at its ends')
      .nullish(),
    'Text for the user, one line of visible characters; stored for the activity.',
  ),
  token: amountMembers.token,
}

/** The API's part of the calls of an app. */
export const dappCallShapes: KindShapes = {
  request,
  maxRequest: {},
  answer: { origin, connectedAddress },
  readRequest(body: RequestBody<typeof request>) {
    const calls = body.calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data }))
    const bytesOfAll = calls.reduce((sum, { data }) => sum + size(data), 0)
    if (bytesOfAll > MAX_DATA_BYTES)
      throw badRequest(`calls: expected at most ${MAX_DATA_BYTES} bytes of calldata in all`)
    const { token = zeroAddress, description = null } = body
    return { kind: 'dapp_call', ...body, calls, token, description }
  },
  readMaxRequest() {
    throw badRequest('type: nobody can ask for the most that an app’s calls spend')
  },
}
