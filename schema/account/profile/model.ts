import { z } from 'zod'
import { collectible } from '../collectible/operations.ts'
import { accountPath } from '../../define/account-operation.ts'
import { address, base64Text, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'
import { keyAccessMethod } from '../../identity/model.ts'

/** The longest address that RFC 5321 allows. */
const EMAIL_LENGTH = 254

/** Key material has about 400 bytes; unknown members may add to it. */
const base64 = (maxLength: number) => z.string().min(1).max(maxLength)

const code = z.string().min(1).max(100)
/** Text of PostgreSQL holds every character except U+0000. */
const label = z
  .string()
  .max(100)
  .regex(/^[^\0]*$/, 'expected text without NUL')
const experiment = 'Of the client’s own experiments; stored, and read by nothing else.'

export const newAccountBody = shape('NewAccount', 'Key material, encrypted for the service.', {
  ciphertext: described(
    base64(12_000),
    'HPKE (base mode, X25519-HKDF-SHA256, HKDF-SHA256, AES-128-GCM, info and aad empty) of the JSON text {"P_spend", "P_view", "child_p_view"}; base64.',
  ),
  encapsulatedKey: described(base64(128), 'The encapsulated key of HPKE, 32 bytes in base64.'),
  inviteCode: described(code.optional(), 'Invite code; needed when access is by invitation.'),
  onboardingExperimentId: described(z.uuid().optional(), experiment),
  experimentKey: described(label.optional(), experiment),
  variantKey: described(label.optional(), experiment),
  referralCode: described(
    code.optional(),
    'Referral code of who referred the account; an unknown one changes nothing.',
  ),
})

export const createdAccount = shape('CreatedAccount', 'The result of the request for an account.', {
  accountId: described(z.uuid().nullable(), 'Id of the new account; null when it existed already.'),
  alreadyExisted: described(z.boolean(), 'True when there was one with the same key material.'),
  referralApplied: described(z.boolean(), 'True when the new account counts as referred.'),
})

export const customEnsNameBody = shape('CustomEnsNameBody', 'An ENS name, encrypted by the client.', {
  encryptedCustomEnsName: described(
    z
      .base64()
      .min(1)
      .max(2_048)
      .meta({ examples: ['c2VhbGVk'] }),
    'Base64 of at most 2,048 characters, encrypted by a key that the service does not have.',
  ),
})

export const customEnsName = shape('CustomEnsName', 'The ENS name that the account keeps.', {
  encryptedCustomEnsName: described(base64Text.nullable(), 'As the client wrote it; null without one.'),
})

export const account = shape('Account', 'The account as its owner sees it.', {
  accountId: described(z.uuid(), 'Id of the account: a UUID that never changes.'),
  address: described(
    address.nullable(),
    'Address of the spending key, which signs in; null where it is not known.',
  ),
  isRegistered: described(z.boolean(), 'Always true: without an account the answer is an error.'),
  keyAccessMethod,
  createdAt: described(moment.nullable(), 'When the account was created; null where it is not known.'),
  subdomain: described(
    z.string().nullable(),
    'The account’s name below the parent name; null while it has none.',
  ),
  encryptedCustomEnsName: described(
    base64Text.nullable(),
    'An ENS name of the account’s own, encrypted by the client; null without one.',
  ),
  activationOfferClaimExpiresAt: described(
    moment.nullable(),
    'Until when the offer to new accounts can be claimed; null when it cannot.',
  ),
  lastConsumedNonce: described(
    z.int().nonnegative().nullable(),
    'Derivation nonce of the newest one-time address; null when there is none.',
  ),
  collectible: described(
    collectible.nullable(),
    'The collectibles that waive fees; null where the service knows none.',
  ),
  hasPoolDeposits: described(z.boolean(), 'True when the account ever deposited into a pool.'),
  dismissedProfilePrompts: described(z.array(z.string()), 'Ids of the prompts that were dismissed for good.'),
})

export const contactEmailBody = shape('NewContactEmail', 'The contact e-mail to set.', {
  email: described(
    z
      .string()
      .max(EMAIL_LENGTH + 64)
      .transform(normalizeEmail)
      .pipe(z.email('expected an e-mail address').max(EMAIL_LENGTH)),
    'The e-mail address; it is trimmed and its domain lower-cased.',
  ),
})

/** The domain is case-insensitive; the part before the @ may be case-sensitive, and stays unchanged. */
function normalizeEmail(text: string): string {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  return at < 0 ? trimmed : trimmed.slice(0, at) + trimmed.slice(at).toLowerCase()
}

export const contactEmail = shape('ContactEmail', 'The contact e-mail.', {
  email: described(z.string().nullable(), 'The e-mail address; null when there is none.'),
})

const promptId = 'Id of a prompt that the operator’s clients show.'

export const promptPath = parameters({
  ...accountPath.shape,
  promptId: described(z.string().min(1).max(64), promptId),
})

export const dismissal = shape('PromptDismissal', 'A prompt that is not shown any more.', {
  promptId: described(z.string(), promptId),
  dismissedAt: described(moment, 'When the prompt was first dismissed.'),
})
