import { z } from 'zod'
import { badRequest } from '../../../../relayer/errors.ts'
import { digitText } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import { amountMembers, needed, type KindShapes, type RequestBody } from '../kind-shapes.ts'

const depositId = described(
  z
    .string()
    .regex(/^(0x[0-9a-fA-F]{40}_)?\d{1,78}$/)
    .nullish(),
  'The cash-out to withdraw: `peerDepositId` of its activity. Without an amount all that no buyer holds comes back, and buyers find it no more. A withdrawal of a cash-out needs it.',
)

const request = { amount: amountMembers.amount, depositId: needed(depositId) }

const answer = {
  depositId,
  withdrawnAmount: described(
    digitText().nullish(),
    'Amount that the escrow returns now, before the fee, in the smallest unit; present only for a withdrawal of a cash-out.',
  ),
}

/** The withdrawal of a cash-out as the API has it. */
export const offrampWithdrawShapes: KindShapes = {
  request,
  maxRequest: {},
  answer,
  readRequest: (body: RequestBody<typeof request>) => ({
    kind: 'offramp_withdraw',
    ...body,
    amount: body.amount ?? null,
  }),
  readMaxRequest() {
    throw badRequest('type: without an amount a withdrawal takes all that there is')
  },
}
