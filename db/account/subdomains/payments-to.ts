import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const paymentRow = z.object({
  chainId: smallInteger,
  token: hexText,
  amount: z.bigint(),
  txHash: hexText.nullable(),
})

/** A payment that has arrived at an address, in the token's smallest unit. The zero address is the coin. */
export type PaymentRow = z.output<typeof paymentRow>

/** A page shows no more. */
const MOST = 50

/** Lists what was paid to an address in coins and tokens, the newest first. */
export async function listPaymentsTo(
  database: DatabasePool,
  address: string,
): Promise<readonly PaymentRow[]> {
  return database.any(sql.type(paymentRow)`
    select chain_id as "chainId", token, amount, tx_hash as "txHash" from transfer
    where to_address = ${address} and standard in ('native', 'erc20') and amount > 0
    order by block_number desc, source, position, item limit ${MOST}`)
}
