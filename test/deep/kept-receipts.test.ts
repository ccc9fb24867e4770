import { getAddress, pad, toHex, zeroHash, type Address } from 'viem'
import { expect, test } from 'vitest'
import { sql } from '../../db/connect-database.ts'
import { createBalances } from '../../relayer/account/balances/create-balances.ts'
import { feeWaiversConfig } from '../../relayer/account/fee-waivers/config.ts'
import { createFeeWaivers } from '../../relayer/account/fee-waivers/fee-waivers.ts'
import { openOwnerWorld } from '../relayer/account/provenance/open-owner-world.ts'

const run = sql.typeAlias('void')
const ADDRESSES = 200
/** Which are all shown. */
const TOKENS = 160
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => getAddress(pad(toHex(from + place), { size: 20 })))

test('the cache weighs a page by all past receipts of its addresses, not only by their holdings', async () => {
  const world = await openOwnerWorld()
  try {
    const { database, owner } = world
    const addresses = numbered(0xa00000, ADDRESSES)
    const tokens = numbered(0xb00000, TOKENS)
    await database.query(run`
      insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      select address, ${owner.accountId}::uuid, 100 + place, 'external'
      from unnest(${sql.array(addresses, 'text')}) with ordinality as own (address, place)`)
    await database.query(run`
      insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
      select 1, address, 'erc20', ${owner.tokens.T}, 1, false, 1, ${zeroHash}
      from unnest(${sql.array(addresses, 'text')}) as own (address)`)
    await database.query(run`
      insert into account_holding (account_id, chain_id, token, amount)
      select ${owner.accountId}::uuid, 1, token, 0 from unnest(${sql.array(tokens, 'text')}) as token (token)`)
    await database.transaction(async (transaction) => {
      await transaction.query(run`set local session_replication_role = replica`)
      await transaction.query(run`
        insert into transfer (chain_id, block_hash, source, position, item, block_number, block_time, tx_hash, standard,
          token, from_address, to_address, amount)
        select 1, token, 'log', place, 0, 1, now(), token, 'erc20', token, ${owner.parties.x}, address, 1
        from unnest(${sql.array(addresses, 'text')}) with ordinality as own (address, place)
        cross join unnest(${sql.array(tokens, 'text')}) as token (token)`)
    })
    await database.query(run`analyze transfer`)
    const feeWaivers = createFeeWaivers(database, feeWaiversConfig.parse({}))
    const { apps, ...parts } = world.openParts()
    const balances = createBalances({ ...parts, feeWaivers, describeApp: apps.name })
    const read = async (query: { address?: Address | undefined }) =>
      (await balances.explainFundedAddresses(owner.accountId, query)).addresses

    const [address] = addresses
    const few = await read({ address })
    expect(few).toHaveLength(1)
    expect(await read({ address })).toBe(few)
    // It is more than the whole cache.
    expect(await read({})).toHaveLength(ADDRESSES)
    expect(await read({ address })).not.toBe(few)
  } finally {
    await world.stop()
  }
})
