import type { Address } from 'viem'

/** Who may not be paid or served. */
export interface Screening {
  /**
   * Passes when every address may be served on the chain.
   * @param isApart No question to a node is about two of them.
   * @throws ServiceError `legal` (451) when one may not; `unavailable` when it cannot be known: no answer is no leave.
   */
  requireClear(chainId: number, addresses: readonly Address[], isApart?: boolean): Promise<void>
}
