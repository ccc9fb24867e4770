import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { sql } from '../../db/connect-database.ts'
import { openClient } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { tokenAddress } from './fill-database.ts'
import { analyzeWallets, fillWallet } from './fill-wallet.ts'

const ADDRESSES = 500
const FUNDED = 50
const REQUESTS = 8

const READS = {
  fundedAddressesOf50: '/funded-addresses',
  addressBalancesOf50: `/address-balances?limit=${FUNDED}`,
}

/**
 * Cost of the provenance of the holdings of fifty addresses. Each has three tokens paid from outside, and every second
 * address was also paid by the one before it. The baseline reads the same holdings without provenance.
 */
export async function benchProvenance(
  settings: Settings,
  { url, chainId, readCpu }: { url: string; chainId: number; readCpu: () => Promise<number> },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  settings.tell(`${FUNDED} addresses, and where what they hold came from`)
  const client = await openClient({ url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
  const { accountId } = client
  const tokens = [tokenAddress(0), tokenAddress(1), tokenAddress(2)]
  await fillWallet(database, { chainId, accountId, addresses: ADDRESSES, tokens, funded: FUNDED })
  await joinPairs(database, { chainId, accountId, token: tokens[0] ?? zeroAddress })
  await analyzeWallets(database)
  const samples = new Map<string, Sample[]>()
  for (let round = -1; round < settings.rounds; round += 1)
    for (const [name, path] of Object.entries(READS)) {
      const sample = await takeSample(readCpu, REQUESTS, async () => {
        for (let request = 0; request < REQUESTS; request += 1) {
          const { addresses } = await client.ask<{ addresses: unknown[] }>(
            'GET',
            `/v1/accounts/${accountId}${path}`,
          )
          if (addresses.length !== FUNDED) throw new Error(`the page has ${addresses.length} addresses`)
        }
      })
      // The first round warms up.
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }
  return [...samples].map(([name, taken], place) =>
    summarize(
      {
        name: `holdings.${name}`,
        baseline: place === 0 ? null : 'holdings.fundedAddressesOf50',
        compared: 'cpu',
      },
      taken,
    ),
  )
}

/** Every second funded address is also paid by the one before it, which joins the two. */
async function joinPairs(
  database: DatabasePool,
  { chainId, accountId, token }: { chainId: number; accountId: string; token: Address },
): Promise<void> {
  await database.query(sql.typeAlias('void')`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select ${chainId}, '0x' || md5(payee.address || 'pair'), 'log', 0, ${ADDRESSES} + payee.derivation_nonce, now(),
      '0x' || md5(payee.address || 'pair tx'), 'erc20', ${token}, payer.address, payee.address, 1
    from stealth_address as payee join stealth_address as payer
      on payer.account_id = payee.account_id and payer.derivation_nonce = payee.derivation_nonce - 1
    where payee.account_id = ${accountId}::uuid and payee.derivation_nonce % 2 = 1
      and payee.derivation_nonce >= ${ADDRESSES - FUNDED}::int`)
}
