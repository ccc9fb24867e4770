import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent; the note is as it was.'

/** The calldata is no ragequit in canonical form. */
export const recoverCalldataInvalid = defineError({
  code: 'RECOVER_CALLDATA_INVALID',
  kind: 'bad-request',
  about: 'recoverCalldata',
  meaning: '`recoverCalldata` is not the ABI encoding of `ragequit(proof)`: 388 bytes.',
  retry: 'With the calldata of a proof by the circuit `commitment`.',
  fundsState: UNTOUCHED,
  message: 'recoverCalldata: expected the 388 bytes of ragequit(proof)',
})

/** The proof is about another note than the request. */
export const recoverMismatch = defineError({
  code: 'RECOVER_MISMATCH',
  kind: 'bad-request',
  about: 'recoverCalldata',
  meaning: 'The proof belongs to no note of that deposit.',
  retry: 'With a proof of the note that is left of the deposit.',
  fundsState: UNTOUCHED,
  example: 'The proof belongs to another deposit',
})

/** The circuit does not accept the proof. */
export const invalidRecoveryProof = defineError({
  code: 'INVALID_PROOF',
  kind: 'bad-request',
  about: 'recoverCalldata',
  meaning: 'The proof does not verify.',
  retry: 'With a right proof.',
  fundsState: UNTOUCHED,
  example: 'The proof does not verify: equation',
})

/** The deposit has been taken back. */
export const alreadyRecovered = defineError({
  code: 'ALREADY_RECOVERED',
  kind: 'bad-request',
  meaning: 'The rest of the deposit has been recovered.',
  retry: 'No.',
  fundsState: 'The funds are at the depositor.',
  message: 'This deposit has been recovered',
})

/** A pending quote already takes the deposit back. */
export const recoveryUnderWay = defineError({
  code: 'RECOVERY_UNDER_WAY',
  kind: 'bad-request',
  meaning: 'The quote `quoteId` recovers this deposit.',
  retry: 'Submit or unlock that quote, or wait for its end.',
  fundsState: 'Another quote has the note; nothing was added to it.',
  message: 'Another quote recovers this deposit: submit it, unlock it, or wait for its end',
  members: z.object({
    quoteId: z.uuid().optional().meta({ description: 'The quote that recovers the deposit.' }),
  }),
})

/** The recovery would publicly link earlier withdrawals to the depositor. */
export const publicLink = defineError({
  code: 'PUBLIC_LINK',
  kind: 'bad-request',
  about: 'acknowledgedPublicLink',
  meaning:
    'The note is the change of a withdrawal. Recovering it publishes its commitment with the deposit’s label. This shows that the depositor made every earlier withdrawal of the deposit.',
  retry: 'With `acknowledgedPublicLink: true`; or spend the note by a withdrawal instead.',
  fundsState: UNTOUCHED,
  message: 'This makes every earlier withdrawal of the deposit public as the depositor’s',
})

/** The note is worth less than the gas of its recovery. */
export const feesExceedValue = defineError({
  code: 'FEES_EXCEED_VALUE',
  kind: 'bad-request',
  meaning: 'The note is worth less than the gas of its recovery.',
  retry: 'When gas is cheaper.',
  fundsState: UNTOUCHED,
  message: 'The note is worth less than the gas of its recovery',
})

/** The account has no such deposit. */
export const depositNotFound = defineError({ kind: 'not-found', message: 'There is no such deposit' })
