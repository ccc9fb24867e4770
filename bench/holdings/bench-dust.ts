import type { DatabasePool } from 'slonik'
import { getAddress, zeroAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { sql } from '../../db/connect-database.ts'
import { openClient } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const ADDRESSES = 1_000
const DUST_TOKENS = 5_000
const REQUESTS = 4

const READS = {
  fundedAddressesOfDusted: '/funded-addresses',
  addressBalancesOfDusted: '/address-balances',
}

/**
 * Cost of listing the addresses of an account that was sent dust. 1,000 addresses have the native coin, and one of them
 * 5,000 worthless tokens. That is the worst place for comparing the tokens of one address.
 */
export async function benchDust(
  settings: Settings,
  { url, chainId, readCpu }: { url: string; chainId: number; readCpu: () => Promise<number> },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  settings.tell(`${ADDRESSES} addresses, ${DUST_TOKENS} dust tokens`)
  const client = await openClient({ url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
  await fillDusted(database, chainId, client.accountId)
  const samples = new Map<string, Sample[]>()
  for (let round = -1; round < settings.rounds; round += 1)
    for (const [name, path] of Object.entries(READS)) {
      const sample = await takeSample(readCpu, REQUESTS, async () => {
        for (let request = 0; request < REQUESTS; request += 1)
          await client.ask('GET', `/v1/accounts/${client.accountId}${path}`)
      })
      // The first round warms up.
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }
  return [...samples].map(([name, taken]) =>
    summarize({ name: `holdings.${name}`, baseline: null, compared: 'cpu' }, taken),
  )
}

async function fillDusted(database: DatabasePool, chainId: number, accountId: string): Promise<void> {
  const run = sql.typeAlias('void')
  const address = (kind: string, place: number) =>
    getAddress(`0x${kind}${place.toString(16).padStart(40 - kind.length, '0')}`)
  const own = Array.from({ length: ADDRESSES }, (_, place) => address('ad', place))
  const dust = Array.from({ length: DUST_TOKENS }, (_, place) => address('d0', place))
  await database.query(run`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select address, ${accountId}::uuid, place - 1, 'external'
    from unnest(${sql.array(own, 'text')}) with ordinality as own (address, place)`)
  await database.query(run`
    insert into token_source (chain_id, address, source, source_id, symbol, name, decimals, total_supply)
    select ${chainId}::bigint, address, 'chain', address, 'DUST' || place,
      case when place % 2 = 0 then 'Dust ' || place else 'claim at dust' || place || '.xyz' end, 18, 1000000
    from unnest(${sql.array(dust, 'text')}) with ordinality as dust (address, place)`)
  await database.query(run`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${chainId}::bigint, address, 'native', ${zeroAddress}::text, 1000000, false, 1, '0x00'
    from unnest(${sql.array(own, 'text')}) as own (address)
    union all
    select ${chainId}::bigint, ${own[0] ?? zeroAddress}::text, 'erc20', address, 1, false, 1, '0x00'
    from unnest(${sql.array(dust, 'text')}) as dust (address)`)
  await database.query(run`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select ${chainId}::bigint, '0xd057', 'log', place, 1, now(), '0xd057' || place, 'erc20', address, ${zeroAddress}::text,
      ${own[0] ?? zeroAddress}::text, 1
    from unnest(${sql.array(dust, 'text')}) with ordinality as dust (address, place)`)
  await database.query(run`analyze holding, transfer, stealth_address, token_source`)
}
