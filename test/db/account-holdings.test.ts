import fc from 'fast-check'
import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex, getAddress, zeroAddress } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { sumHoldings } from '../../db/account/balances/address-holdings.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'

const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))

test('the balance of an account equals the sum of its holdings after any inserts, updates and deletions', async () => {
  const { pool, drop } = await openTestDatabase()
  onTestFinished(drop)
  const accounts = [randomUUID(), randomUUID()]
  const addresses: string[] = []
  for (const accountId of accounts) {
    await pool.query(sql.typeAlias('void')`
      insert into account (id, auth_address, sealed_keys, master_key_id)
      values (${accountId}, ${randomAddress()}, ''::bytea, 'none')`)
    for (let nonce = 0; nonce < 3; nonce += 1) {
      const address = randomAddress()
      addresses.push(address)
      await pool.query(sql.typeAlias('void')`
        insert into stealth_address (address, account_id, derivation_nonce) values (${address}, ${accountId}, ${nonce})`)
    }
  }
  // No longer watched.
  addresses.push(randomAddress())
  const tokens = [zeroAddress, randomAddress()]
  const write = fc.record({
    chainId: fc.constantFrom(1, 2),
    rows: fc.uniqueArray(
      fc.record({
        address: fc.constantFrom(...addresses),
        token: fc.constantFrom(...tokens),
        amount: fc.bigInt(0n, 2n ** 100n),
      }),
      { minLength: 1, maxLength: 8, selector: ({ address, token }) => address + token },
    ),
    removes: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(write, async ({ chainId, rows, removes }) => {
      const given = sql.unnest(
        rows.map(({ address, token, amount }) => [address, token, String(amount)]),
        ['text', 'text', 'numeric'],
      )
      if (removes)
        await pool.query(sql.typeAlias('void')`
          delete from holding using ${given} as gone (address, token, amount)
          where holding.address = gone.address and holding.token = gone.token and chain_id = ${chainId}`)
      else
        await pool.query(sql.typeAlias('void')`
          insert into holding (chain_id, address, standard, token, amount, stale, as_of_hash)
          select ${chainId}, address, 'erc20', token, amount, true, '0x00' from ${given} as given (address, token, amount)
          on conflict (address, chain_id, standard, token, token_id) do update set amount = excluded.amount`)
      for (const accountId of accounts) {
        const sums = await pool.any(sql.type(
          z.object({ chainId: z.bigint(), token: z.string(), free: z.bigint() }),
        )`
          select chain_id as "chainId", token, sum(amount) as free from holding join stealth_address using (address)
          where account_id = ${accountId} and amount > 0 group by chain_id, token order by chain_id, token`)
        const told = (await sumHoldings(pool, accountId)).map(({ chainId: chain, token, free }) => ({
          chainId: BigInt(chain),
          token,
          free,
        }))
        expect(told).toEqual(sums)
      }
    }),
    { numRuns: 60 },
  )
})
