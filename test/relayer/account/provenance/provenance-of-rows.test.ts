import { randomBytes } from 'node:crypto'
import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../../../relayer/account/apps/config.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bytesToHex, getAddress, zeroAddress, type Address } from 'viem'
import { writeTag } from '../../../../db/account/notes/address-tags.ts'
import { recordPrices } from '../../../../db/market/prices/token-prices.ts'
import { sql } from '../../../../db/connect-database.ts'
import { createProvenance } from '../../../../relayer/account/provenance/create-provenance.ts'
import type { Provenance } from '../../../../relayer/account/provenance/provenance.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { openTokens, type TokenDesk } from '../../../../relayer/market/open-tokens.ts'
import { createUsdPrices } from '../../../../relayer/market/prices/create-usd-prices.ts'
import { pricesConfig } from '../../../../relayer/market/prices/config.ts'
import { tokensConfig } from '../../../../relayer/market/tokens/config.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import {
  fundOwner,
  openOwner,
  seedTokens,
  writeHistory,
  type Owner,
  type Party,
  type Step,
} from './seed-history.ts'

const run = sql.typeAlias('void')
let database: TestDatabase
let desk: TokenDesk
let tokens: Awaited<ReturnType<typeof seedTokens>>
let provenance: Provenance
beforeAll(async () => {
  database = await openTestDatabase()
  desk = await openTokens({
    database: database.pool,
    chains: new Map(),
    config: { catalog: tokensConfig.parse({}), prices: pricesConfig.parse({}) },
    logger: pino({ level: 'silent' }),
  })
  tokens = await seedTokens(database.pool)
  provenance = openInstance()
})
afterAll(async () => {
  await desk?.stop()
  await database?.drop()
})

const openInstance = (more: Partial<Pick<TokenDesk, 'prices'>> = {}) =>
  createProvenance({
    database: database.pool,
    ...desk,
    ...more,
    secrets: createTransientSecrets(new Uint8Array(32)),
    actionOf: (kind) => kind,
    describeApp: createAppRegistry(appsConfig.parse({}), { loopback: false }).name,
  })

const pay = (from: Party, to: Party, amount: number, more: Partial<Step> = {}): Step => ({
  chainId: 1,
  movements: [{ from, to, amount, token: 'T' }],
  relays: null,
  delivers: null,
  ...more,
})

/** An account with that history; each of its addresses holds this amount of T on both chains. */
async function openWallet(steps: readonly Step[], held = 10n) {
  const owner = await openOwner(database.pool, tokens)
  await fundOwner(database.pool, owner, held)
  const history = await writeHistory(database.pool, owner, steps)
  return { ...owner, history, ofT: (name: Party, by = owner) => explainT(by, owner.parties[name]) }
}

const holding = (address: Address, chainId = 1) => ({ chainId, address, token: tokens.T })
const explainT = async ({ accountId }: Owner, address: Address) => {
  const told = await provenance.explainHoldings(accountId, [holding(address)])
  return { ...told.of(holding(address)), groups: told.groups }
}

it('equal sources have one id in every answer of an account, and another in those of others', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('A', 'B', 10)])
  const [a, b] = [await wallet.ofT('A'), await wallet.ofT('B')]
  expect(b).toMatchObject({
    reason: 'carried_source',
    actions: ['SELF'],
    fundingGroupId: a.associationGroupId,
  })
  expect(b.groups).toEqual([
    {
      id: b.fundingGroupId,
      sourceCount: 1,
      sources: [
        {
          id: `receive:${wallet.parties.A}`,
          kind: 'receive',
          address: wallet.parties.A,
          origin: { chainId: 1, txHash: wallet.history[0]?.txHash, index: 0 },
          tag: null,
          apps: [],
        },
      ],
    },
  ])
  // Another account that has the very same addresses.
  const again = await openOwner(database.pool, tokens)
  await database.pool.query(run`
    update stealth_address set account_id = ${again.accountId}::uuid, derivation_nonce = derivation_nonce + 100
    where account_id = ${wallet.accountId}::uuid`)
  const other = await explainT(again, wallet.parties.B)
  expect(other.groups[0]?.sources[0]?.id).toBe(b.groups[0]?.sources[0]?.id)
  expect(other.fundingGroupId).not.toBe(b.fundingGroupId)
})

it('a payment of an Entrypoint out of a pool comes with the events that show it', async () => {
  const wallet = await openWallet([pay('entrypoint', 'A', 10, { relays: 10 }), pay('x', 'B', 10)])
  const [{ accountId, parties, history }, told] = [wallet, await wallet.ofT('A')]
  const evidence = {
    chainId: 1,
    txHash: history[0]?.txHash,
    index: 0,
    entrypoint: parties.entrypoint,
    pool: parties.y,
    poolLogIndex: 90,
  }
  expect(told).toMatchObject({
    reason: 'platform_action_output',
    sources: [`private:${parties.A}`],
    privateOrigins: [evidence],
    mixGroup: `private:${parties.A}`,
  })
  expect((await wallet.ofT('B')).privateOrigins).toEqual([])
  const move = { ...holding(parties.A), txHash: history[0]!.txHash! }
  const moves = await provenance.explainMoves(accountId, [move])
  expect(moves.arrived(move).privateOrigins).toEqual([evidence])
  expect(moves.left(move)).toMatchObject({ reason: 'unavailable', unresolved: ['passed_through'] })
})

it('tags name sources, and tagged sources are a set of their own', async () => {
  const wallet = await openWallet(
    [pay('x', 'A', 8), pay('x', 'B', 7), pay('A', 'C', 3), pay('B', 'C', 2)],
    5n,
  )
  expect(await wallet.ofT('C')).toMatchObject({
    isTagged: false,
    userTaggedSourceCount: 0,
    mixGroup: 'untagged',
  })
  await writeTag(database.pool, wallet.accountId, wallet.parties.A, 'sealed')
  expect(await wallet.ofT('A')).toMatchObject({
    isTagged: true,
    onlySource: { id: `receive:${wallet.parties.A}`, tag: { ciphertext: 'sealed' } },
    // C joined it with B.
    association: { status: 'linked' },
    userTaggedSourceCount: 1,
  })
  expect(await wallet.ofT('C')).toMatchObject({ isTagged: false, onlySource: null, userTaggedSourceCount: 1 })
  expect((await wallet.ofT('C')).mixGroup).toMatch(/^tagged:/)
  // Labels that the client says are equal make one group.
  const [a, b] = [wallet.parties.A, wallet.parties.B]
  for (const address of [a, b])
    await writeTag(database.pool, wallet.accountId, address, `sealed ${address}`, 'k'.repeat(32))
  const [ofA, ofB, ofC] = [await wallet.ofT('A'), await wallet.ofT('B'), await wallet.ofT('C')]
  expect(new Set([ofA, ofB, ofC].map(({ fundingGroupId }) => fundingGroupId)).size).toBe(1)
  expect(
    ofC.groups.find(({ id }) => id === ofC.fundingGroupId)?.sources.map(({ address }) => address),
  ).toEqual([a, b].toSorted())
  expect(ofC.isTagged).toBe(true)
})

it('an unknown source says why, and is in a group of its own', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('A', 'B', 10), pay('x', 'C', 10)])
  const { A, B, C } = wallet.parties
  const pool = database.pool
  await pool.query(run`
    update watched_address set history_next = 1, watched_since = now() + interval '1 hour'
    where address = ${A} and chain_id = 10`)
  // A's joined addresses are not all known: on this chain the origin of its money is known, on the other it is not.
  for (const address of [A, B])
    expect(await explainT(wallet, address)).toMatchObject({
      unresolved: [],
      association: { status: 'unknown', sources: [], unresolved: ['history_incomplete'] },
      mixGroup: `unknown:${address}`,
    })
  const elsewhere = await provenance.explainHoldings(wallet.accountId, [holding(A, 10)])
  expect(elsewhere.of(holding(A, 10))).toMatchObject({
    reason: 'unavailable',
    unresolved: ['history_incomplete'],
  })
  expect(await explainT(wallet, C)).toMatchObject({ reason: 'fresh_receive', mixGroup: 'untagged' })

  await pool.query(run`update holding set stale = true where address = ${C} and chain_id = 1`)
  expect(await explainT(wallet, C)).toMatchObject({ reason: 'unavailable', unresolved: ['holding_stale'] })

  // Native coins that came while nodes showed no calls; the tokens' logs showed all.
  await pool.query(run`update indexed_chain set untraced_to = 5 where chain_id = 1`)
  const coins = { ...holding(A), token: zeroAddress }
  const told = await provenance.explainHoldings(wallet.accountId, [coins])
  expect(told.of(coins).unresolved).toEqual(['untraced_native'])
  await pool.query(run`update watched_address set live_from = 6 where address = ${A} and chain_id = 1`)
  expect((await provenance.explainHoldings(wallet.accountId, [coins])).of(coins).unresolved).toEqual([])
  await pool.query(run`update indexed_chain set untraced_to = null`)

  // The answer says nothing about the address of another account.
  const stranger = await openWallet([])
  expect(await explainT(stranger, C)).toMatchObject({ reason: 'unavailable', sources: [], groups: [] })
})

it('two fresh payments with equal labels pay together while another chain still reads the past of their new addresses', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('y', 'B', 10)])
  const { A, B } = wallet.parties
  for (const address of [A, B])
    await writeTag(database.pool, wallet.accountId, address, `sealed ${address}`, 'k'.repeat(32))
  const groupsNow = async () => [(await wallet.ofT('A')).mixGroup, (await wallet.ofT('B')).mixGroup]
  const before = await groupsNow()
  expect(before[0]).toMatch(/^tagged:/)
  expect(before[1]).toBe(before[0])
  const pool = database.pool
  await pool.query(run`update watched_address set history_next = 1 where address = ${A} and chain_id = 10`)
  expect(await groupsNow()).toEqual(before)
  // Blocks in which it can have been paid are still to be read.
  await pool.query(run`update watched_address set near_from = null where address = ${A} and chain_id = 10`)
  expect(await groupsNow()).toEqual([`unknown:${A}`, before[1]])
  await pool.query(run`update watched_address set near_from = 1 where address = ${A} and chain_id = 10`)
  expect(await groupsNow()).toEqual(before)
  // An address that an operator derived again may have been paid long ago.
  await pool.query(run`update stealth_address set generation_context = null where address = ${A}`)
  for (const next of [null, 1])
    await pool.query(run`
      update watched_address set history_next = ${next} where address = ${A} and chain_id = 10`)
  expect(await groupsNow()).toEqual([`unknown:${A}`, before[1]])
})

it('funds that an address received before it was issued are older, and so are its payments from them', async () => {
  const wallet = await openWallet(
    [pay('x', 'A', 8), pay('x', 'B', 4), pay('A', 'C', 4), pay('y', 'D', 4)],
    4n,
  )
  const { A, B, C, D } = wallet.parties
  const pool = database.pool
  const reasons = async () =>
    Promise.all([A, B, C, D].map(async (address) => (await explainT(wallet, address)).reason))
  const fresh = ['fresh_receive', 'fresh_receive', 'carried_source', 'fresh_receive']
  // Transactions that are matched live came later, whatever the clock of the chain shows.
  expect(await reasons()).toEqual(fresh)
  await pool.query(run`update watched_address set live_from = 3 where chain_id = 1`)
  expect(await reasons()).toEqual(['older_funds', 'older_funds', 'older_funds', 'fresh_receive'])
  for (const address of [A, B, C])
    expect(await explainT(wallet, address)).toMatchObject({
      sources: [],
      olderCount: 1,
      unresolved: [],
      mixGroup: `unknown:${address}`,
      association: { status: 'unknown', hasOlder: true, unresolved: [] },
    })
  // A chain's clock may be ahead: transactions that were indexed by then are older nevertheless.
  await pool.query(run`
    update stealth_address set created_at = '2020-01-01' where account_id = ${wallet.accountId}::uuid`)
  await pool.query(run`update watched_address set live_from = 4 where chain_id = 1`)
  expect(await reasons()).toEqual(fresh)
  await pool.query(run`update watched_address set early_to = 1, live_from = 3 where chain_id = 1`)
  expect(await reasons()).toEqual(['older_funds', 'fresh_receive', 'older_funds', 'fresh_receive'])
  // Funds without a receipt are older too.
  const unseen = await openWallet([], 3n)
  expect(await unseen.ofT('A')).toMatchObject({
    reason: 'older_funds',
    association: { status: 'unknown', hasOlder: true },
  })
})

/** Writes the given number of receipts of one unit of T. */
const flood = (to: Address, from: Address, times: number) =>
  database.pool.query(run`
    insert into transfer (chain_id, block_hash, source, position, item, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select 1, ${to} || place, 'log', 0, 0, 900, now(), ${to} || place, 'erc20', ${tokens.T}, ${from}, ${to}, 1
    from generate_series(1, ${times}::int) as place`)

it('addresses whose histories are too long together are traced one by one', async () => {
  const wallet = await openWallet([])
  const { A, B, C, y } = wallet.parties
  for (const address of [A, B, C]) await flood(address, y, 2_000)
  const asked = [A, B, C].map((address) => holding(address))
  const told = await provenance.explainHoldings(wallet.accountId, asked)
  expect(asked.map((one) => told.of(one).sources)).toEqual([A, B, C].map((address) => [`receive:${address}`]))
  expect(told.groups).toHaveLength(3)
})

it('many addresses whose histories are too long together are all traced, in the largest possible groups', async () => {
  const wallet = await openWallet([])
  const many = Array.from({ length: 30 }, () => getAddress(bytesToHex(randomBytes(20))))
  await database.pool.query(run`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select address, ${wallet.accountId}::uuid, 100 + place, 'external'
    from unnest(${sql.array(many, 'text')}) with ordinality as own (address, place)`)
  await database.pool.query(run`
    insert into watched_address (chain_id, address, live_from, near_from)
    select chain_id, address, 1, 1 from unnest(${sql.array(many, 'text')}) as own (address)
    cross join (values (1), (10)) as chain (chain_id) on conflict do nothing`)
  await fundOwner(database.pool, { ...wallet, own: many, tokens }, 1n)
  for (const address of many) await flood(address, wallet.parties.y, 400)
  const asked = many.map((address) => holding(address))
  const told = await provenance.explainHoldings(wallet.accountId, asked)
  expect(asked.map((one) => told.of(one).sources)).toEqual(many.map((address) => [`receive:${address}`]))
})

it('an address with more receipts than can be traced does not hide the holdings of others', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('A', 'B', 5), pay('x', 'C', 10)])
  const { A, B, C } = wallet.parties
  await flood(A, wallet.parties.y, 5_001)
  const asked = [A, B, C].map((address) => holding(address))
  const told = await provenance.explainHoldings(wallet.accountId, asked)
  expect(asked.map((one) => told.of(one).unresolved)).toEqual([
    ['too_much_history'],
    ['too_much_history'],
    [],
  ])
  expect(told.of(holding(C)).sources).toEqual([`receive:${C}`])
})

it('a token without any vouched source joins an address that did nothing with no other', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('x', 'B', 10), pay('x', 'C', 10)])
  const { A, B, C, x } = wallet.parties
  const [fake] = Object.values(await seedTokens(database.pool))
  /** By one transaction the token claims that A paid B, and by a real one of C that A paid a stranger. */
  const forged = 'forged ' + A
  const real = wallet.history[2]!.txHash
  const say = (txHash: string, place: number, to: Address) =>
    database.pool.query(run`
      insert into transfer (chain_id, block_hash, source, position, item, block_number, block_time, tx_hash, standard,
        token, from_address, to_address, amount)
      values (1, ${forged}, 'log', ${place}, 0, 900, now(), ${txHash}, 'erc20', ${fake!}, ${A}, ${to}, 5)`)
  await say(forged, 0, B)
  await say(real!, 1, x)
  for (const name of ['A', 'B', 'C'] as const)
    expect(await wallet.ofT(name)).toMatchObject({
      reason: 'fresh_receive',
      sources: [`receive:${wallet.parties[name]}`],
      association: { status: 'clean' },
      mixGroup: 'untagged',
    })
  expect((await wallet.ofT('B')).association.unsolicitedCount).toBe(1)

  // The owner of A sent the transaction: it is no forgery then.
  await database.pool.query(run`
    insert into indexed_tx (chain_id, tx_hash, block_number, block_hash, block_time, tx_index, from_address, tx_nonce, value,
      succeeded, gas_used, fee)
    values (1, ${forged}, 900, ${forged}, now(), 0, ${A}, 0, 0, true, 1, 1)`)
  expect((await wallet.ofT('B')).association.sources).toContain(`receive:${A}`)
  expect((await wallet.ofT('C')).association).toMatchObject({ status: 'clean', sources: [`receive:${C}`] })
})

it('the service repeats an answer until any writer changes something of the account', async () => {
  const wallet = await openWallet([pay('x', 'A', 10), pay('A', 'B', 10)])
  const { accountId, parties, history } = wallet
  const move = { ...holding(parties.B), txHash: history[1]!.txHash! }
  const other = openInstance()
  const read = async (by: Provenance) => {
    const held = (await by.explainHoldings(accountId, [holding(parties.B)])).of(holding(parties.B))
    const moved = (await by.explainMoves(accountId, [move])).arrived(move)
    return [held, moved].map(({ reason, sources, isTagged }) => ({ reason, sources, isTagged }))
  }
  const before = await read(provenance)
  expect(before).toMatchObject([{ reason: 'carried_source' }, { reason: 'carried_source' }])
  expect(await read(other)).toEqual(before)
  // The write bypasses the triggers, which hear nothing of it.
  await database.pool.transaction(async (transaction) => {
    await transaction.query(run`set local session_replication_role = replica`)
    await transaction.query(run`
      update transfer set from_address = ${parties.y} where to_address = ${parties.B}`)
  })
  expect(await read(provenance)).toEqual(before)
  // Of another account, and reservations alone.
  const stranger = await openWallet([pay('x', 'A', 5)])
  await writeTag(database.pool, stranger.accountId, stranger.parties.A, 'sealed')
  await database.pool.query(run`
    insert into locked_funds (chain_id, address, token, amount, ceiling)
    values (1, ${parties.B}, ${tokens.T}, 1, 10)`)
  expect(await read(provenance)).toEqual(before)
  await writeTag(database.pool, accountId, parties.B, 'sealed')
  const after = { reason: 'fresh_receive', sources: [`receive:${parties.B}`], isTagged: true }
  expect(await read(provenance)).toEqual([after, after])
  expect(await read(other)).toEqual([after, after])
})

it('another price judges anew the answers that it would change, and nothing else', async () => {
  const { accountId, parties } = await openWallet([pay('x', 'A', 10)])
  // Prices come from the database: no source is asked.
  const source = { name: 'none', read: async () => undefined }
  const prices = createUsdPrices({
    database: database.pool,
    config: pricesConfig.parse({}),
    sources: [source],
    fixed: new Map(),
    fallback: new Map(),
    watched: async () => [],
    logger: pino({ level: 'silent' }),
  })
  const priced = openInstance({ prices })
  /** Of one unit, in hundredths of a cent. */
  const readAt = async (price: bigint) => {
    const usd = price * 10n ** 26n
    await recordPrices(database.pool, 'none', [
      { chainId: 1, address: tokens.T, usd, observedAt: new Date() },
    ])
    return (await priced.explainHoldings(accountId, [holding(parties.A)])).of(holding(parties.A))
  }
  const dear = await readAt(100n)
  expect(dear.association).toMatchObject({ sources: [`receive:${parties.A}`], unsolicitedCount: 0 })
  // Ten of them are a cent still.
  expect(await readAt(10n)).toBe(dear)
  expect((await readAt(9n)).association).toMatchObject({ sources: [], unsolicitedCount: 1 })
  expect((await readAt(10n)).association).toEqual(dear.association)
})
