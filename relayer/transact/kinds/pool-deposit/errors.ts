import { z } from 'zod'
import { tokenOfError } from '../../../market/errors.ts'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'
const forPeople = (meaning: string) => z.string().meta({ description: `${meaning}, in whole tokens.` })
const depositIndex = z.int().meta({ description: 'Index of the deposit.' })
const nextDepositIndex = z.int().meta({ description: 'The lowest index that the account has not used.' })

/** The pool’s owner has closed it for deposits. */
export const poolDead = defineError({
  code: 'POOL_DEAD',
  kind: 'bad-request',
  meaning: 'The pool no longer accepts deposits. Withdrawals are still possible.',
  retry: 'No.',
  fundsState: 'Nothing was sent.',
  message: 'This pool no longer accepts deposits',
})

/** The amount is below the Entrypoint's minimum for one address. */
export const depositAmountTooSmall = defineError({
  code: 'DEPOSIT_AMOUNT_TOO_SMALL',
  kind: 'bad-request',
  about: 'amount',
  meaning: 'The pool has a minimum for each deposit, and with it for each address that deposits.',
  retry: 'With at least `minAmount` for each address.',
  fundsState: UNTOUCHED,
  example: 'A deposit is worth at least 0.00099 ETH',
  members: tokenOfError.extend({ minAmount: forPeople('Minimum value of a note') }),
})

/** The amount is above the pool's maximum for one deposit. */
export const depositAmountTooLarge = defineError({
  code: 'DEPOSIT_AMOUNT_TOO_LARGE',
  kind: 'bad-request',
  about: 'amount',
  meaning: 'The pool has a maximum for each deposit.',
  retry: 'With at most `maxAmount` from each address.',
  fundsState: UNTOUCHED,
  example: 'A deposit is worth at most 1000 ETH',
  members: tokenOfError.extend({ maxAmount: forPeople('Maximum value of a note') }),
})

/** Each address that deposits needs a precommitment of its own. */
export const precommitmentsNeeded = defineError({
  code: 'PRECOMMITMENTS_NEEDED',
  kind: 'bad-request',
  about: 'precommitments',
  meaning: 'More addresses would deposit than there are precommitments.',
  retry: 'With `count` precommitments, from `nextDepositIndex` on.',
  fundsState: UNTOUCHED,
  example: 'Deposits from 3 addresses need as many precommitments',
  members: z.object({
    count: z.int().meta({ description: 'Number of addresses that would deposit.' }),
    nextDepositIndex,
  }),
})

/** A note under this precommitment could never be spent. */
export const precommitmentInvalid = defineError({
  code: 'PRECOMMITMENT_INVALID',
  kind: 'bad-request',
  about: 'precommitments',
  meaning: 'A precommitment is zero, outside the field, or given twice.',
  retry: 'With other precommitments.',
  fundsState: UNTOUCHED,
  example: 'precommitments[0]: expected an element of the field above zero',
})

/** A second deposit under this precommitment could never be spent, and the Entrypoint refuses it. */
export const precommitmentAlreadyUsed = defineError({
  code: 'PRECOMMITMENT_ALREADY_USED',
  kind: 'bad-request',
  about: 'precommitments',
  meaning: 'A deposit has that precommitment, or another quote of the account does.',
  retry: 'With the next index and its precommitment; this index is never used again.',
  fundsState: 'Nothing was sent.',
  example: 'The precommitment of index 3 is used already',
  members: z.object({ depositIndex }),
})

/** The account has a deposit or a live quote with that index. */
export const depositIndexTaken = defineError({
  code: 'DEPOSIT_INDEX_TAKEN',
  kind: 'bad-request',
  about: 'precommitments',
  meaning: 'A deposit of the account in this pool has that index, or a quote that has not ended.',
  retry: 'From `nextDepositIndex` on.',
  fundsState: UNTOUCHED,
  example: 'The index 3 is in use',
  members: z.object({ depositIndex, nextDepositIndex }),
})

/** Published wallets stop looking for notes after ten indices without a deposit. */
export const depositIndexGap = defineError({
  code: 'DEPOSIT_INDEX_GAP',
  kind: 'bad-request',
  about: 'precommitments',
  meaning: 'A published wallet would not find the note: it stops after ten indices without a deposit.',
  retry:
    'From `nextDepositIndex` on, up to `maxDepositIndex`; once pending quotes are mined or have ended, if that is less.',
  fundsState: UNTOUCHED,
  example: 'The index 30 is too far from the last deposit: at most 14',
  members: z.object({
    depositIndex,
    maxDepositIndex: z.int().meta({ description: 'The highest index that is accepted now.' }),
    nextDepositIndex,
  }),
})

/** Errors for a refused deposit into a pool. */
export const POOL_DEPOSIT_ERRORS = [
  poolDead,
  depositAmountTooSmall,
  depositAmountTooLarge,
  precommitmentsNeeded,
  precommitmentInvalid,
  precommitmentAlreadyUsed,
  depositIndexTaken,
  depositIndexGap,
] as const
