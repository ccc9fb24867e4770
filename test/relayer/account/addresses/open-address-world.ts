import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../../../relayer/account/apps/config.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DatabasePool } from 'slonik'
import { bytesToHex, type Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { insertAccount } from '../../../../db/account/profile/accounts.ts'
import { connectDatabase, sql } from '../../../../db/connect-database.ts'
import { loadStealthCurve } from '../../../../proving/derivation/stealth-curve.ts'
import { encodeStoredKeys } from '../../../../relayer/identity/key-material.ts'
import { createAddressFacts } from '../../../../relayer/account/balances/address-facts.ts'
import type { Addresses } from '../../../../relayer/account/addresses/addresses.ts'
import { addressesConfig } from '../../../../relayer/account/addresses/config.ts'
import { createAddresses } from '../../../../relayer/account/addresses/create-addresses.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { childViewKeyOf, publicKeyOf } from '../../../proving/derivation/derive-plainly.ts'
import { z } from 'zod'

/** No chain is watched here, so nothing is held that would need a name or a price. */
const NO_MARKET = {
  tokens: { learnMany: async () => new Map(), isListed: () => false, maxUnlisted: 200 },
  prices: { read: async () => new Map() },
}

const vault = createVault([createKeyWrapper(randomBytes(32))])
const curve = await loadStealthCurve()

export interface TestAccount {
  id: string
  childViewKey: Uint8Array
  spendPublicKey: Uint8Array
}

/** Addresses on a database of their own; `open` starts a further instance of the service. */
export async function openAddressWorld(settings: Record<string, unknown> = {}) {
  const database = await openTestDatabase()
  onTestFinished(() => database.drop())
  const config = addressesConfig.parse(settings)
  const makeAddresses = (pool: DatabasePool): Addresses =>
    createAddresses({
      database: pool,
      describeApp: createAppRegistry(appsConfig.parse({}), { loopback: false }).name,
      vault,
      curve,
      config,
      sharedState: createMemoryState(createLogger({ level: 'silent' })),
      facts: createAddressFacts({ database: pool, ...NO_MARKET }),
    })
  return {
    pool: database.pool,
    vault,
    addresses: makeAddresses(database.pool),
    async openInstance() {
      const pool = await connectDatabase(database.url)
      onTestFinished(() => pool.end())
      return makeAddresses(pool)
    },
    addAccount: () => addAccount(database.pool),
    /** The derivationNonces of all addresses in order, and the account's next one. */
    async readNonces(accountId: string) {
      const rows = await database.pool.anyFirst(sql.type(z.object({ nonce: z.bigint().transform(Number) }))`
        select derivation_nonce as nonce from stealth_address where account_id = ${accountId} order by 1`)
      const next = await database.pool.oneFirst(sql.type(z.object({ next: z.bigint().transform(Number) }))`
        select next_derivation_nonce as next from account where id = ${accountId}`)
      return { nonces: [...rows], next }
    },
    /** As when the address was paid. */
    async touch(address: Address) {
      await database.pool.query(sql.typeAlias('void')`
        insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
        values (${address}, 1, ${bytesToHex(randomBytes(32))}, 1, now(), 0)`)
    },
    async age(address: Address, ms: number) {
      await database.pool.query(sql.typeAlias('void')`
        update stealth_address set created_at = created_at - ${`${ms} ms`}::interval,
          handed_out_at = handed_out_at - ${`${ms} ms`}::interval where address = ${address}`)
    },
  }
}

async function addAccount(pool: DatabasePool): Promise<TestAccount> {
  const id = randomUUID()
  const spendKey = randomBytes(32)
  const spendPublicKey = publicKeyOf(spendKey)
  const childViewKey = childViewKeyOf(randomBytes(32))
  const stored = encodeStoredKeys({
    childViewKey: bytesToHex(childViewKey),
    spendPublicKey: bytesToHex(spendPublicKey),
    viewPublicKey: bytesToHex(publicKeyOf(randomBytes(32))),
  })
  const authAddress = privateKeyToAddress(bytesToHex(spendKey))
  const sealedKeys = await vault.seal(id, stored)
  await insertAccount(pool, {
    id,
    authAddress,
    sealedKeys,
    experimentId: null,
    experimentKey: null,
    variantKey: null,
  })
  return { id, childViewKey, spendPublicKey }
}
