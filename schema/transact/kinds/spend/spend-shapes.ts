import { z } from 'zod'
import type { SpendKind } from '../../../../relayer/pool/book/book-content.ts'
import { PRIVACY_CAVEATS } from '../../../../relayer/transact/pool-spending/privacy-caveats.ts'
import { address, amount, digitText } from '../../../define/scalars.ts'
import { described, shape } from '../../../define/shape.ts'
import {
  amountMembers,
  needed,
  recipientMembers,
  type KindShapes,
  type PlainMaxBody,
  type RequestBody,
} from '../kind-shapes.ts'

const digits = digitText()
const MAX_WITHDRAWALS = 8

const plannedWithdrawal = shape('PlannedWithdrawal', 'A withdrawal that the wallet is to have relayed.', {
  commitmentId: described(z.string(), 'Id of the note in `pool/commitments`.'),
  label: described(digits, 'Label of the deposit that the note goes back to.'),
  depositIndex: described(z.int().nullable(), 'Index of that deposit; null where it was made elsewhere.'),
  withdrawalIndex: described(z.int(), 'How often was spent from the deposit before.'),
  value: described(digits, 'Value of the note, in the smallest unit.'),
  receives: described(digits, 'Amount that arrives after the relay fee.'),
  withdraws: described(digits, 'Amount that leaves the note: `withdrawnValue` of the proof.'),
  relayFeeBPS: described(
    z.number(),
    'Relay fee in basis points by today’s gas; the relayer’s quote decides.',
  ),
  changeValue: described(digits, 'Value of the change note.'),
  changeWithdrawalIndex: described(z.int(), 'The withdrawalIndex of the change note.'),
  recipient: described(
    address.optional(),
    'Address of the account that this withdrawal is for; present only for `incognito_self_send`.',
  ),
  derivationNonce: described(digits.optional(), 'Derivation nonce of `recipient`, in decimal digits.'),
})

const privacyCaveat = shape(
  'PrivacyCaveat',
  'Reasons why an observer can guess more easily to whom the withdrawals belong.',
  {
    kind: described(
      z.enum(PRIVACY_CAVEATS),
      'equal_amount: as much leaves as a deposit was worth. soon: the deposit is less than two hours old, or fewer than ten by accounts of the service followed it. small_crowd: fewer than twenty such deposits could be the source. strands_change: the change is too small for a relay. several_notes: several withdrawals pay together. deep_chain: a published wallet may not find the change.',
      { id: 'PrivacyCaveatKind' },
    ),
  },
)

/** Members of answers about spends from pools, beyond those of every quote. */
export const spendAnswer = {
  withdrawals: described(
    z.array(plannedWithdrawal).nullish(),
    'The withdrawals of a spend from a pool; absent for other quotes.',
  ),
  crowd: described(
    z.int().nullish(),
    'Approved deposits by accounts of the service that are worth the largest withdrawal; present only for a spend from a pool.',
  ),
  privacyCaveats: described(
    z.array(privacyCaveat).nullish(),
    'Reasons against this spend; present only for a spend from a pool.',
  ),
}

const request = { ...amountMembers, token: needed(amountMembers.token), ...recipientMembers }

/** The API's part of a spend from a pool that the wallet sends. Its destination may be missing. */
const spendShapesOf = (kind: SpendKind): KindShapes => ({
  request,
  maxRequest: {},
  answer: spendAnswer,
  readRequest: (body: RequestBody<typeof request>) => ({ kind, ...body }),
  readMaxRequest: (body: PlainMaxBody) => ({ kind, ...body }),
})

/** The API's parts of both kinds of spends. */
export const spendShapes: Readonly<Record<SpendKind, KindShapes>> = {
  incognito_send: spendShapesOf('incognito_send'),
  incognito_self_send: spendShapesOf('incognito_self_send'),
}

const withdrawal = shape('SubmittedWithdrawal', 'By what the withdrawal of a note can be found on chain.', {
  commitmentId: described(z.string().min(1).max(160), 'Id of the note, as the quote has it.'),
  nullifierHash: described(amount, 'H(nullifier) of the note: what its withdrawal will show.'),
  newCommitment: described(amount, 'Commitment of the change note.'),
})

export const withdrawals = described(
  z.array(withdrawal).min(1).max(MAX_WITHDRAWALS).optional(),
  'Every withdrawal of a spend from a pool; absent for other quotes. Nothing is sent by it.',
)
