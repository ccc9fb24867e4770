/** The availability of a name for a claim. */
export type NameCheck = { available: true } | { available: false; reason: 'taken' | 'blocked' }

/** The accounts' names below the service's parent name. Every accountId here has been checked to be the caller's. */
export interface Subdomains {
  /** @throws ServiceError `bad-request` for text that cannot be a name. */
  check(request: { name: string; inviteCode: string | undefined }): Promise<NameCheck>
  /**
   * Gives the account a name, for good. Claiming the same name again is no error. Of concurrent claims by several
   * accounts, one succeeds.
   *
   * @returns the name in its normalised form.
   * @throws ServiceError `bad-request` for text that cannot be a name, `conflict` if the name is unavailable or the
   * account has another.
   */
  claim(accountId: string, request: { name: string; inviteCode: string | undefined }): Promise<string>
  /** Returns a random name that is free now, without reserving it. */
  suggest(): Promise<string>
}
