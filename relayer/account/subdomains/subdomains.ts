/** Whether a name can be claimed. */
export type NameCheck = { available: true } | { available: false; reason: 'taken' | 'blocked' }

/** The accounts' names below the service's parent name. Every accountId here has been checked to be the caller's. */
export interface Subdomains {
  /** @throws ServiceError `bad-request` for text that cannot be a name. */
  check(request: { name: string; inviteCode: string | undefined }): Promise<NameCheck>
  /**
   * Gives the account a name, for good; asking again for the same one is no error. Of several accounts at once, one gets it.
   *
   * @returns the name in its normalised form.
   * @throws ServiceError `bad-request` for text that cannot be a name, `conflict` for one that is not to be had, and
   * where the account has another.
   */
  claim(accountId: string, request: { name: string; inviteCode: string | undefined }): Promise<string>
  /** A random name that is free now; nothing keeps it free. */
  suggest(): Promise<string>
}
