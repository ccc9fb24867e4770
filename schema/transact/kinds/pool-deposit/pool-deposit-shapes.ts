import { z } from 'zod'
import { address, amount, digitText } from '../../../define/scalars.ts'
import { described, shape } from '../../../define/shape.ts'
import {
  amountMembers,
  needed,
  poolAddress,
  recipientMembers,
  type KindShapes,
  type PlainMaxBody,
  type RequestBody,
} from '../kind-shapes.ts'

/** Most addresses that one quote spends from. */
const MAX_DEPOSITS = 16

const depositIndex = described(
  z.int().min(0).max(1_000_000_000),
  'By which the wallet derives the secrets of the note: the n-th deposit of the account in the pool has n − 1.',
)
const precommitment = described(amount, 'Poseidon(nullifier, secret) of the note, in decimal digits.')

const depositPrecommitment = shape(
  'DepositPrecommitment',
  'Identifies a note that only the depositor can spend.',
  {
    depositIndex,
    precommitment,
  },
)

const request = {
  ...amountMembers,
  token: needed(amountMembers.token),
  decimals: recipientMembers.decimals,
  precommitments: described(
    z.array(depositPrecommitment).max(MAX_DEPOSITS).optional(),
    'One for each address that deposits, by consecutive indices; only as many as needed are used. A deposit into a pool needs them: 400 PRECOMMITMENTS_NEEDED says how many and from which index.',
  ),
}

// A quote is signed as text.
const digits = digitText()
const quotedDeposit = shape('QuotedDeposit', 'The deposit of one intent.', {
  address: described(
    address,
    'The account’s address that deposits, and alone can recover a declined deposit.',
  ),
  depositIndex,
  precommitment: described(digits, 'Poseidon(nullifier, secret) of the note, in decimal digits.'),
  amount: described(digits, 'Value of the note, in the smallest unit.'),
  grossAmount: described(digits, 'The Entrypoint’s fee: `amount` and `vettingFee`, in the smallest unit.'),
  vettingFee: described(digits, 'Fee of the pool’s owner, in the smallest unit.'),
  depositFee: described(digits, 'Fee of this service, in the smallest unit.'),
})

const answer = {
  poolAddress,
  deposits: described(
    z.array(quotedDeposit).nullish(),
    'One per intent, in the order of `intents`; absent for other quotes. Each goes into a transaction of its own.',
  ),
}

/** A deposit into a pool as the API has it. */
export const poolDepositShapes: KindShapes = {
  request,
  maxRequest: {},
  answer,
  readRequest: (body: RequestBody<typeof request>) => ({ kind: 'pool_deposit', ...body }),
  readMaxRequest: (body: PlainMaxBody) => ({ kind: 'pool_deposit', ...body }),
}
