import type { z } from 'zod'
import type { AccountProfile, NewAccount } from '../../../relayer/account/profile/accounts.ts'
import type { KeyAccessMethod } from '../../../relayer/identity/principal.ts'
import type * as model from './model.ts'

export function toNewAccount(body: z.output<typeof model.newAccountBody>): NewAccount {
  return {
    encapsulatedKey: body.encapsulatedKey,
    ciphertext: body.ciphertext,
    inviteCode: body.inviteCode,
    referralCode: body.referralCode,
    onboarding: {
      experimentId: body.onboardingExperimentId,
      experimentKey: body.experimentKey,
      variantKey: body.variantKey,
    },
  }
}

export function accountToWire(
  profile: AccountProfile,
  keyAccessMethod: KeyAccessMethod = 'unknown',
): z.input<typeof model.account> {
  const { createdAt, activationOfferClaimExpiresAt, ...rest } = profile
  return {
    ...rest,
    isRegistered: true,
    keyAccessMethod,
    createdAt: createdAt.toISOString(),
    activationOfferClaimExpiresAt: activationOfferClaimExpiresAt?.toISOString() ?? null,
    collectible: null,
  }
}
