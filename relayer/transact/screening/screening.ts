import type { Address } from 'viem'

/** Who may not be paid or served. */
export interface Screening {
  /**
   * Passes when every address may be served on the chain.
   * @throws ServiceError `legal` (451) when one may not; `unavailable` when it cannot be known: no answer is no leave.
   */
  requireClear(chainId: number, addresses: readonly Address[]): Promise<void>
  /**
   * Refuses those that are known not to be served, and asks nobody.
   * @throws ServiceError `legal` (451).
   */
  refuseKnown(chainId: number, addresses: readonly Address[]): void
}
