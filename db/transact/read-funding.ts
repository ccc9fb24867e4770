import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

const funding = z.object({ isPrivate: z.boolean() })

/**
 * True if an address last received a token from a pool: an Entrypoint sent exactly the amount of its event in the same
 * transaction. As far as the chain is indexed.
 * @param of `token`: a contract, not the native coin.
 */
export async function wasFundedPrivately(
  connection: CommonQueryMethods,
  { chainId, address, token }: { chainId: number; address: string; token: string },
): Promise<boolean> {
  const last = await connection.maybeOne(sql.type(funding)`
    select exists (
      select from pool_event as relay
      where relay.chain_id = last.chain_id and relay.tx_hash = last.tx_hash and relay.kind = 'relay'
        and relay.contract = last.from_address and relay.asset = last.token and relay.value - relay.fee = last.amount
    ) as "isPrivate"
    from (
      select chain_id, tx_hash, from_address, token, amount from transfer
      where chain_id = ${chainId} and to_address = ${address} and token = ${token} and standard = 'erc20' and amount > 0
      order by block_number desc, position desc limit 1
    ) as last`)
  return last?.isPrivate ?? false
}
