import type { Address } from 'viem'
import type { Principal } from '../../identity/principal.ts'

/** What a client sends to create its account: the sealed key material and optional codes. */
export interface NewAccount {
  /** HPKE, base64 both. */
  encapsulatedKey: string
  ciphertext: string
  inviteCode: string | undefined
  referralCode: string | undefined
  onboarding: {
    experimentId: string | undefined
    experimentKey: string | undefined
    variantKey: string | undefined
  }
}

/** What came of creating an account. Creating it again is no error. */
export interface CreatedAccount {
  /** Null when the account existed already. */
  accountId: string | null
  alreadyExisted: boolean
  referralApplied: boolean
}

/** An account as its owner sees it. */
export interface AccountProfile {
  accountId: string
  address: Address
  createdAt: Date
  subdomain: string | null
  /** As the client wrote it; nobody here can read it. */
  encryptedCustomEnsName: string | null
  activationOfferClaimExpiresAt: Date | null
  /** The last derivationNonce that was handed out; null when none was. */
  lastConsumedNonce: number | null
  hasPoolDeposits: boolean
  dismissedProfilePrompts: string[]
}

/** The account itself and the small things its owner keeps in it. Every accountId here has been checked to be the caller's. */
export interface Accounts {
  /**
   * Creates the account of the address that signed in. Of concurrent attempts one creates it.
   *
   * @throws ServiceError `bad-request` for key material that is malformed or not the signer's, `conflict` when the
   * account exists with other key material, `forbidden` when an invite code is required and the given one is not
   * valid.
   */
  create(principal: Principal, request: NewAccount): Promise<CreatedAccount>
  readProfile(accountId: string): Promise<AccountProfile>
  /** Keeps an ENS name that the client encrypted; null removes it. */
  writeCustomEnsName(accountId: string, encrypted: string | null): Promise<void>
  readContactEmail(accountId: string): Promise<string | null>
  /** Null removes it. */
  writeContactEmail(accountId: string, email: string | null): Promise<void>
  /** @throws ServiceError `bad-request` for a prompt that cannot be dismissed for good. */
  dismissPrompt(accountId: string, promptId: string): Promise<Date>
}
