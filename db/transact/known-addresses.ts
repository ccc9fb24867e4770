import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { isSendersAct } from '../chain/indexer/own-acts.ts'
import { sql } from '../connect-database.ts'

const knownAddress = z.object({
  address: hexText,
  source: z.enum(['own_address', 'address_book', 'paid', 'logged', 'payer']),
  contactName: z.string().nullable(),
})
/**
 * paid: the account signed a payment to it. logged: a token claims that the account paid it, within an act of the
 * account. payer: a token claims that it paid the account. Anybody can forge the last two for any address.
 */
export type KnownAddressRow = z.output<typeof knownAddress>

/**
 * Shortest matching ends that make two addresses look alike (match-poisoning.ts): 3 and 3, or 9 in all. Without a
 * matching start, 7 must match at the end.
 */
const PREFIX = 3
const SUFFIX = 7

/** transfer(address,uint256) */
const TRANSFER = '0xa9059cbb'

/**
 * Lists addresses known to the account that begin or end like the given one: all that can match it, and few more. The
 * account paid the recipients of its confirmed quotes, and those of transactions signed by its keys. Logs prove no
 * payment: a token can log any transfer, beside an intent of the account and within it. The user may never have seen
 * the calls of an app.
 */
export function listKnownAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<readonly KnownAddressRow[]> {
  const digits = address.slice(2).toLowerCase()
  return connection.any(sql.type(knownAddress)`
    with own as (select address from stealth_address where account_id = ${accountId}::uuid),
    known as (
      select address, 'own_address' as source, null as name, 1 as rank from own
      union all
      select address, 'address_book', name, 2 from contact where account_id = ${accountId}::uuid
      union all
      select recipient, 'paid', null, 3 from quote where account_id = ${accountId}::uuid and status = 'confirmed'
        and kind <> 'dapp_call'
      union all
      select to_address, case when is_signed then 'paid' else 'logged' end, null, case when is_signed then 3 else 4 end
      from own cross join lateral (
        -- By address, whatever the planner takes the busiest payers for. Of a range it expects few rows; of one value, where few
        -- addresses have most transfers, a part of the table.
        select * from transfer where from_address between own.address and own.address and amount > 0 offset 0
      ) as transfer cross join lateral (select exists (
        select from indexed_tx
        where indexed_tx.chain_id = transfer.chain_id and indexed_tx.tx_hash = transfer.tx_hash
          and indexed_tx.from_address = own.address and (
            indexed_tx.to_address = transfer.to_address and transfer.source = 'call' and transfer.item = 0
            or indexed_tx.to_address = transfer.token
              and selector = ${TRANSFER} and lower(substr(input, 35, 40)) = lower(substr(transfer.to_address, 3)))
      ) as is_signed) as paid
      where is_signed or ${isSendersAct} and not exists (
        select from intent_event as event join intent using (eoa, chain_id, intent_nonce)
        join quote on quote.id = intent.quote_id
        where event.eoa = own.address and event.chain_id = transfer.chain_id and event.tx_hash = transfer.tx_hash
          and quote.kind = 'dapp_call')
      union all
      select from_address, 'payer', null, 5 from own cross join lateral (
        select from_address from transfer
        where to_address between own.address and own.address and amount > 0 offset 0
      ) as transfer
    )
    select distinct on (address) address, source, name as "contactName" from known
    where lower(substr(address, 3, ${PREFIX}::int4)) = ${digits.slice(0, PREFIX)}
      or lower(right(address, ${SUFFIX}::int4)) = ${digits.slice(-SUFFIX)}
    order by address, rank`)
}
