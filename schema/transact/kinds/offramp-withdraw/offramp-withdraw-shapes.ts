import { z } from 'zod'
import type { OfframpWithdrawRequest } from '../../../../relayer/transact/kinds/offramp-withdraw/offramp-withdraw-request.ts'
import { badRequest } from '../../../../relayer/errors.ts'
import { digitText } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import { demandMember, type KindShapes, type RequestBody } from '../kind-shapes.ts'
import { amountMembers } from '../request-members.ts'

const depositId = described(
  z
    .string()
    .regex(/^(0x[0-9a-fA-F]{40}_)?\d{1,78}$/)
    .nullish(),
  'The cash-out that is taken back: `peerDepositId` of its activity. Without an amount all that no buyer holds comes back, and buyers find it no more. A withdrawal of a cash-out needs it.',
)

const request = { amount: amountMembers.amount, depositId }

const answer = {
  depositId,
  withdrawnAmount: described(
    digitText().nullish(),
    'What the escrow gives back now, before the fee is paid of it, in the smallest unit; absent but for a withdrawal of a cash-out.',
  ),
}

/** The withdrawal of a cash-out as the API has it. */
export const offrampWithdrawShapes: KindShapes<OfframpWithdrawRequest, never> = {
  request,
  needs: ['depositId'],
  maxRequest: {},
  answer,
  readRequest: (body: RequestBody<typeof request>) => ({
    kind: 'offramp_withdraw',
    chainId: body.chainId,
    depositId: demandMember('depositId', body.depositId),
    amount: body.amount ?? null,
    ttl: body.ttl,
  }),
  readMaxRequest() {
    throw badRequest('type: without an amount a withdrawal takes all that there is')
  },
}
