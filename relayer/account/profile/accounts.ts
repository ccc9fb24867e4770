import type { Address } from 'viem'
import type { Principal } from '../../identity/principal.ts'

/** A client's request to create its account: the sealed key material and optional codes. */
export interface NewAccount {
  /** HPKE output, both in base64. */
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

/** The result of creating an account. Creating it again is no error. */
export interface CreatedAccount {
  /** Null if the account existed already. */
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
  /** Ciphertext from the client; the service cannot read it. */
  encryptedCustomEnsName: string | null
  activationOfferClaimExpiresAt: Date | null
  /** The last derivationNonce that was handed out; null if none was. */
  lastConsumedNonce: number | null
  hasPoolDeposits: boolean
  dismissedProfilePrompts: string[]
}

/** Accounts and their profile data. Every accountId here has been checked to be the caller's. */
export interface Accounts {
  /**
   * Creates the account of the address that signed in. Of concurrent attempts exactly one creates it.
   *
   * @throws ServiceError `bad-request` for key material that is malformed or not the signer's; `conflict` if the
   * account exists with other key material; `forbidden` if an invite code is required and the given one is invalid.
   */
  create(principal: Principal, request: NewAccount): Promise<CreatedAccount>
  readProfile(accountId: string): Promise<AccountProfile>
  /** Stores an ENS name that the client encrypted; null removes it. */
  writeCustomEnsName(accountId: string, encrypted: string | null): Promise<void>
  readContactEmail(accountId: string): Promise<string | null>
  /** Stores the email sealed; null removes it. */
  writeContactEmail(accountId: string, email: string | null): Promise<void>
  /** @throws ServiceError `bad-request` for a prompt that cannot be dismissed for good. */
  dismissPrompt(accountId: string, promptId: string): Promise<Date>
}
