import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const knownContract = z.object({
  chainId: smallInteger,
  address: hexText,
  /** True if a client looked it up as a token. */
  isToken: z.boolean(),
  /** True if an Entrypoint ever registered it as a pool. */
  isPool: z.boolean(),
})

/** An address on a chain. */
export type KnownContract = Pick<z.output<typeof knownContract>, 'chainId' | 'address'>

/** Returns the addresses that are contracts of tokens or pools, by the stored rows. */
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
