import { z } from 'zod'
import { accountPath } from '../../define/account-path.ts'
import { keyAccessMethod } from '../../identity/model.ts'
import { address } from '../../define/wire-scalars.ts'

/** RFC 5321 allows no more. */
const EMAIL_LENGTH = 254

/** Key material has some 400 bytes; members that nobody knows may come along. */
const base64 = (maxLength: number) => z.string().min(1).max(maxLength)

const code = z.string().min(1).max(100)
/** The database's text holds all characters but one. */
const label = z
  .string()
  .max(100)
  .regex(/^[^\0]*$/, 'expected text without NUL')

export const newAccountBody = z
  .object({
    ciphertext: base64(12_000).meta({
      description:
        'HPKE (base mode, X25519-HKDF-SHA256, HKDF-SHA256, AES-128-GCM, info and aad empty) of the JSON text {"P_spend", "P_view", "child_p_view"}; base64.',
    }),
    encapsulatedKey: base64(128).meta({ description: 'What HPKE encapsulated, 32 bytes in base64.' }),
    inviteCode: code.optional().meta({ description: 'Needed when access is by invitation.' }),
    onboardingExperimentId: z.uuid().optional(),
    experimentKey: label.optional(),
    variantKey: label.optional(),
    referralCode: code.optional(),
  })
  .meta({ id: 'NewAccount', description: 'Key material, encrypted for the service.' })

export const createdAccount = z
  .object({
    accountId: z.uuid().nullable().meta({ description: 'Null when the account existed already.' }),
    alreadyExisted: z.boolean(),
    referralApplied: z.boolean(),
  })
  .meta({ id: 'CreatedAccount', description: 'What became of the request for an account.' })

const isoDate = z.iso.datetime()

const collectible = z
  .object({
    active: z.boolean(),
    deposits: z.array(
      z
        .object({ tokenId: z.string(), imageUrl: z.string().nullable(), depositAddress: address })
        .meta({ id: 'CollectibleDeposit', description: 'A collectible that came in.' }),
    ),
  })
  .meta({ id: 'Collectible', description: 'The collectible that waives fees.' })

export const account = z
  .object({
    accountId: z.uuid(),
    address: address.nullable().meta({ description: 'Of the spending key: who signs in.' }),
    isRegistered: z.boolean(),
    keyAccessMethod,
    createdAt: isoDate.nullable(),
    subdomain: z.string().nullable(),
    encryptedCustomEnsName: z.string().nullable(),
    activationOfferClaimExpiresAt: isoDate.nullable(),
    lastConsumedNonce: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Of the newest one-time address; null when there is none.' }),
    collectible: collectible.nullable(),
    hasPoolDeposits: z.boolean(),
    dismissedProfilePrompts: z.array(z.string()),
  })
  .meta({ id: 'Account', description: 'The account as its owner sees it.' })

export const contactEmailBody = z
  .object({
    email: z
      .string()
      .max(EMAIL_LENGTH + 64)
      .transform(normalizeEmail)
      .pipe(z.email('expected an e-mail address').max(EMAIL_LENGTH))
      .meta({ examples: ['somebody@example.org'] }),
  })
  .meta({ id: 'NewContactEmail', description: 'The contact e-mail to set.' })

/** The domain is the same in any case; what stands before it is its owner's to spell. */
function normalizeEmail(text: string): string {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  return at < 0 ? trimmed : trimmed.slice(0, at) + trimmed.slice(at).toLowerCase()
}

export const contactEmail = z
  .object({ email: z.string().nullable() })
  .meta({ id: 'ContactEmail', description: 'The contact e-mail.' })

export const promptPath = accountPath.extend({ promptId: z.string().min(1).max(64) })

export const dismissal = z
  .object({ promptId: z.string(), dismissedAt: isoDate })
  .meta({ id: 'PromptDismissal', description: 'A prompt that is not shown any more.' })
