import type { DatabasePool } from 'slonik'
import { getAddress, type Address } from 'viem'
import { sql } from '../../db/connect-database.ts'

export const ADDRESSES = 1_000
export const TOKENS = 20

export const tokenAddress = (place: number): Address =>
  getAddress(`0x${(0xbe0000 + place).toString(16).padStart(40, '0')}`)

/** Inserts tokens as known, so that the service reads no contract. */
export async function insertTokens(database: DatabasePool, chainId: number): Promise<void> {
  for (let place = 0; place < TOKENS; place += 1)
    await database.query(sql.typeAlias('void')`
      insert into token_source (chain_id, address, source, source_id, symbol, name, decimals, total_supply)
      values (${chainId}, ${tokenAddress(place)}, 'chain', ${tokenAddress(place)},
        ${`BEN${place}`}, ${`Bench ${place}`}, 18, ${10n ** 30n})`)
}

/** Gives an account its addresses, each with some of every token. */
export async function fundAccount(database: DatabasePool, chainId: number, accountId: string): Promise<void> {
  await database.query(sql.typeAlias('void')`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select '0x' || substr(md5(${accountId} || place) || md5(place || ${accountId}), 1, 40), ${accountId}::uuid, place, 'external'
    from generate_series(0, ${ADDRESSES - 1}::int) as place`)
  const tokens = Array.from({ length: TOKENS }, (_, place) => tokenAddress(place))
  await database.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${chainId}, address, 'erc20', token, 1 + derivation_nonce, false, 1, '0x00'
    from stealth_address cross join unnest(${sql.array(tokens, 'text')}) as token
    where account_id = ${accountId}::uuid`)
}

/** Adds other accounts until there are `until` of them: two addresses each, two tokens each. */
export async function addStrangers(database: DatabasePool, chainId: number, until: number): Promise<void> {
  await database.query(sql.typeAlias('void')`
    with made as (
      insert into account (id, auth_address, sealed_keys, master_key_id)
      select gen_random_uuid(), 'stranger ' || place, ''::bytea, 'none'
      from generate_series((select count(*) from account where master_key_id = 'none') + 1, ${until}::int) as place
      returning id
    ), addressed as (
      insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      select '0x' || substr(md5(id::text || place) || md5(place || id::text), 1, 40), id, place, 'external'
      from made cross join generate_series(0, 1) as place
      returning address
    )
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${chainId}, address, 'erc20', token, 5, false, 1, '0x00'
    from addressed cross join unnest(array[${tokenAddress(0)}, ${tokenAddress(1)}]) as token`)
  await database.query(sql.typeAlias('void')`analyze stealth_address, holding, account`)
}
