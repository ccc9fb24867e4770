import type { CommonQueryMethods } from 'slonik'
import type { Hex } from 'viem'
import { listLabelsOfConversion } from '../../../db/transact/pool-recoveries.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import { insufficientFundsForFees, quoteNotFound } from '../errors.ts'
import type { Quote, Quotes } from '../transact.ts'
import type { KeepAnswer } from '../../keep-answer.ts'
import { demandDeposit } from '../kinds/pool-recover/check-recovery.ts'
import { decodeRagequit } from '../kinds/pool-recover/decode-ragequit.ts'
import { depositNotFound, feesExceedValue, recoverMismatch } from '../kinds/pool-recover/errors.ts'

/** Request for a recovery: a note by its name, or one that a quote deposited. */
export interface RecoveryRequest {
  of: { commitmentId: string } | { quoteId: string }
  recoverCalldata: Hex
  acknowledgedPublicLink: boolean
}

/** Recoveries of deposits, in public. Callers have checked that every accountId is the caller's own. */
export interface PoolRecoveries {
  /**
   * Quotes the recovery of a note: one intent to be signed by the depositor.
   * @throws ServiceError `not-found` for a quote or a deposit that is not the account's; `bad-request` as {@link
   * decodeRagequit} and checkRecovery say, FEES_EXCEED_VALUE; as quotes do.
   */
  prepare(accountId: string, request: RecoveryRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
}

/**
 * A label, optionally with the number of a change of its deposit. Deposits in flight have other names and do not match.
 */
const NAMED = /^([0-9]{1,78})(?:-[0-9]{1,9})?$/

/** Creates the recoveries over the quotes. */
export function createPoolRecoveries({
  database,
  chains,
  quotes,
}: {
  database: CommonQueryMethods
  chains: Chains
  quotes: Pick<Quotes, 'create'>
}): PoolRecoveries {
  return {
    async prepare(accountId, { of, recoverCalldata, acknowledgedPublicLink }, keepAnswer) {
      const { label } = decodeRagequit(recoverCalldata)
      const commitmentId = 'commitmentId' in of ? of.commitmentId : String(label)
      if ('quoteId' in of) {
        const labels = await listLabelsOfConversion(database, accountId, of.quoteId)
        if (!labels) throw quoteNotFound()
        if (!labels.includes(label)) throw recoverMismatch('The proof is of no deposit of this quote')
      } else {
        const [, named] = NAMED.exec(commitmentId) ?? []
        if (named === undefined) throw depositNotFound()
        await demandDeposit({ database, chains }, accountId, BigInt(named))
        if (BigInt(named) !== label) throw recoverMismatch('The proof is of another deposit')
      }
      const { chainId } = await demandDeposit({ database, chains }, accountId, label)
      const request = { kind: 'pool_recover', chainId, ttl: undefined, commitmentId } as const
      return quotes
        .create(accountId, { ...request, recoverCalldata, acknowledgedPublicLink }, keepAnswer)
        .catch((error: unknown) => {
          throw insufficientFundsForFees.matches(error) ? feesExceedValue() : error
        })
    },
  }
}
