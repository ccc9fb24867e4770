import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const knownContract = z.object({
  chainId: smallInteger,
  address: hexText,
  /** A client looked it up as a token. */
  isToken: z.boolean(),
  /** An Entrypoint registered it as a pool, whether or not it was removed since. */
  isPool: z.boolean(),
})

/** An address on a chain. */
export type KnownContract = Pick<z.output<typeof knownContract>, 'chainId' | 'address'>

/** Which of these addresses are contracts of tokens or pools, by the stored rows; the others are left out. */
export function listKnownContracts(
  connection: CommonQueryMethods,
  addresses: readonly KnownContract[],
): Promise<readonly z.output<typeof knownContract>[]> {
  return connection.any(sql.type(knownContract)`
    select * from (
      select wanted.chain_id as "chainId", wanted.address,
        exists (
          select from token_source
          where token_source.chain_id = wanted.chain_id and token_source.address = wanted.address
        ) as "isToken",
        exists (
          select from pool_event
          where pool_event.chain_id = wanted.chain_id and pool = wanted.address and kind = 'pool-registered'
        ) as "isPool"
      from ${sql.unnest(
        addresses.map(({ chainId, address }) => [chainId, address]),
        ['int8', 'text'],
      )} as wanted (chain_id, address)
    ) as known where "isToken" or "isPool"`)
}
