import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTag } from '../../../../db/account/notes/address-tags.ts'
import { popBlocks } from '../../../../db/chain/indexer/pop-blocks.ts'
import { sql } from '../../../../db/connect-database.ts'
import { recordPrices } from '../../../../db/market/prices/token-prices.ts'
import { createBalances } from '../../../../relayer/account/balances/create-balances.ts'
import { createFeeWaivers } from '../../../../relayer/account/fee-waivers/fee-waivers.ts'
import { feeWaiversConfig } from '../../../../relayer/account/fee-waivers/config.ts'
import {
  describeAddressBalances,
  describeFunded,
} from '../../../../schema/account/balances/describe-balances.ts'
import { addressBalances, fundedAddresses } from '../../../../schema/account/balances/model.ts'
import { createTextWriter } from '../../../../schema/define/text-writer.ts'
import { fundOwner, type Owner } from '../../../relayer/account/provenance/seed-history.ts'
import { openOwnerWorld } from '../../../relayer/account/provenance/open-owner-world.ts'

const run = sql.typeAlias('void')
const writeBalances = createTextWriter(addressBalances)
const writeFunded = createTextWriter(fundedAddresses)
let world: Awaited<ReturnType<typeof openOwnerWorld>>
let database: DatabasePool
let owner: Owner
let polled: ReturnType<typeof openInstance>
beforeAll(async () => {
  world = await openOwnerWorld()
  ;({ database, owner } = world)
  await fundOwner(database, owner, 10n)
  polled = openInstance()
})
afterAll(() => world?.stop())

const query = (statement: Parameters<DatabasePool['query']>[0]) => database.query(statement)

/** An instance of the service with an empty cache. */
function openInstance() {
  const feeWaivers = createFeeWaivers(database, feeWaiversConfig.parse({}))
  const { apps, ...parts } = world.openParts()
  return createBalances({ ...parts, feeWaivers, describeApp: apps.name })
}

/** A wallet's reads. */
const read = async (by = polled) => ({
  explained: await writeBalances(
    describeAddressBalances(await by.explainFundedAddresses(owner.accountId, {}), null),
  ),
  funded: await writeFunded(describeFunded(await by.readFundedAddresses(owner.accountId))),
})

const price = (usd: bigint, secondsAgo: number) =>
  recordPrices(database, 'test', [
    {
      chainId: 1,
      address: owner.tokens.T,
      usd: usd * 10n ** 30n,
      observedAt: new Date(Date.now() - secondsAgo * 1_000),
    },
  ])

const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'an amount': () => fundOwner(database, owner, 11n),
  'what a quote promised of it': () =>
    query(run`
      insert into locked_funds (chain_id, address, token, amount, ceiling)
      values (1, ${owner.parties.B}, ${owner.tokens.T}, 3, 11)`),
  'a receipt': () => world.receive(5, 10),
  'a tag': () => writeTag(database, owner.accountId, owner.parties.A, 'sealed'),
  'a price': () => price(7n, 9),
  'another price': () => price(8n, 6),
  'that the same price was seen later': () => price(8n, 3),
  'what its contract says of a token': () =>
    query(run`
      update token_source set symbol = 'NEW', last_seen_at = now() + interval '1 s' where address = ${owner.tokens.T}`),
  'an app that an address was shown': () =>
    query(run`
      insert into dapp_use (account_id, address, origin)
      values (${owner.accountId}, ${owner.parties.C}, 'https://app.example')`),
  'a balance that could not be read': () =>
    query(run`update holding set stale = true where address = ${owner.parties.A}`),
  'that a quote gave it back': () => query(run`delete from locked_funds where address = ${owner.parties.B}`),
  'a reorg that takes the receipt': () => popBlocks(database, 1, 9n, 1),
  'a holding that is gone': () => query(run`delete from holding where address = ${owner.parties.D}`),
}
/** Changes that the list without explanations does not show. */
const UNTOLD = new Set([
  'a receipt',
  'a tag',
  'that the same price was seen later',
  'a balance that could not be read',
  'a reorg that takes the receipt',
])

test.for(Object.keys(CHANGES))('a page that was kept shows %s', async (name) => {
  const before = await read()
  await CHANGES[name]?.()
  const after = await read()
  expect(String(after.explained)).not.toBe(String(before.explained))
  if (!UNTOLD.has(name)) expect(String(after.funded)).not.toBe(String(before.funded))
  // Computed without the cache.
  const fresh = await read(openInstance())
  expect(String(after.explained)).toBe(String(fresh.explained))
  expect(String(after.funded)).toBe(String(fresh.funded))
})

test('an unchanged page is described once', async () => {
  const describe = async () =>
    describeAddressBalances(await polled.explainFundedAddresses(owner.accountId, {}), null)
  const page = await describe()
  expect(await describe()).toBe(page)
  expect(await writeBalances(page)).toBe(await writeBalances(page))
  expect(page.addresses).toHaveLength(3)
})
