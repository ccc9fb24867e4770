import type { DatabasePool } from 'slonik'
import { pad, toHex } from 'viem'
import { sql } from '../../../../db/connect-database.ts'
import type { BroadcastEngine } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { CHAIN_ID } from './start-engine.ts'

/** Makes the table whose rows are written together with transactions. */
export async function makeSentTable(pool: DatabasePool): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    create table sent_row (place integer primary key, outbound_id uuid not null references outbound_tx (id))`)
}

/** Sends a call, of the kind `test` unless said, with a row of its own at a place. */
export const sendOne = (
  engine: BroadcastEngine,
  index: number,
  place = index,
  kind = 'test',
): Promise<string> =>
  engine.send(
    {
      chainId: CHAIN_ID,
      kind,
      reference: String(index),
      to: '0x2000000000000000000000000000000000000002',
      data: pad(toHex(index), { size: 32 }),
      value: 0n,
      gasLimit: 50_000n,
    },
    (outboundId) => sql.fragment`insert into sent_row values (${place}, ${outboundId}::uuid)`,
  )
