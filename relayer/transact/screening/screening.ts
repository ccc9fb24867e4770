import type { Address } from 'viem'

/** Screening of addresses that may not be paid or served. */
export interface Screening {
  /**
   * Checks that every address may be served on the chain.
   * @throws ServiceError `legal` (451) when one may not; `unavailable` when it is unknown: no answer is no permission.
   */
  requireClear(chainId: number, addresses: readonly Address[]): Promise<void>
  /**
   * Refuses addresses that are already known to be listed, without a query.
   * @throws ServiceError `legal` (451).
   */
  refuseKnown(chainId: number, addresses: readonly Address[]): void
}
