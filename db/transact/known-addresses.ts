import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const knownAddress = z.object({
  address: hexText,
  source: z.enum(['own_address', 'address_book', 'paid', 'payer']),
  contactName: z.string().nullable(),
})
/** paid: somebody whom the account sent to. payer: somebody from whom it received, who may be anybody. */
export type KnownAddressRow = z.output<typeof knownAddress>

/**
 * Shortest ends by which one address can be taken for another (match-poisoning.ts): 3 and 3, or 9 in all. One that does not
 * begin alike needs 7 at its end.
 */
const PREFIX = 3
const SUFFIX = 7

/**
 * Addresses that the account knows and that begin or end like the given one: all that can match it, and few more. One
 * that it sent to counts only where an own transaction or intent did it: tokens can log any transfer they like. Whom an app
 * had the account call, or says that it paid, the user may never have seen.
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
      select to_address, 'paid', null, 3 from own cross join lateral (
        -- By address, whatever the planner takes the busiest payers for. Of a range it expects few rows; of one value, where few
        -- addresses have most transfers, a part of the table.
        select * from transfer where from_address between own.address and own.address and amount > 0 offset 0
      ) as transfer
      where exists (select from indexed_tx
          where indexed_tx.chain_id = transfer.chain_id and indexed_tx.tx_hash = transfer.tx_hash
            and indexed_tx.from_address = own.address)
        or exists (select from intent_event
          where intent_event.eoa = own.address and intent_event.chain_id = transfer.chain_id
            and intent_event.tx_hash = transfer.tx_hash and incremented and err = '0x00000000'
            and not exists (select from intent join quote on quote.id = intent.quote_id
              where intent.eoa = intent_event.eoa and intent.chain_id = intent_event.chain_id
                and intent.intent_nonce = intent_event.intent_nonce and quote.kind = 'dapp_call'))
      union all
      select from_address, 'payer', null, 4 from own cross join lateral (
        select from_address from transfer
        where to_address between own.address and own.address and amount > 0 offset 0
      ) as transfer
    )
    select distinct on (address) address, source, name as "contactName" from known
    where lower(substr(address, 3, ${PREFIX}::int4)) = ${digits.slice(0, PREFIX)}
      or lower(right(address, ${SUFFIX}::int4)) = ${digits.slice(-SUFFIX)}
    order by address, rank`)
}
