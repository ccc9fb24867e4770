import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { listPrivatelyFunded } from '../chain/indexer/read-pool-events.ts'
import { sql } from '../connect-database.ts'

const received = z.object({ at: z.date().nullable() })

/** Whether what an address received of a token last, as far as the chain is indexed, came out of a pool by a relay. */
export async function wasFundedPrivately(
  connection: CommonQueryMethods,
  { chainId, address, token }: { chainId: number; address: string; token: string },
): Promise<boolean> {
  const [privately] = await listPrivatelyFunded(connection, [address])
  if (!privately) return false
  const { at } = await connection.one(sql.type(received)`
    select max(block_time) as at from transfer
    where chain_id = ${chainId} and to_address = ${address} and token = ${token} and amount > 0`)
  return at !== null && privately.at.getTime() >= at.getTime()
}
