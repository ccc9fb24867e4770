import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../../../relayer/account/apps/config.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Address } from 'viem'
import type { z } from 'zod'
import { writeTag } from '../../../../db/account/notes/address-tags.ts'
import { sql } from '../../../../db/connect-database.ts'
import { createProvenance } from '../../../../relayer/account/provenance/create-provenance.ts'
import { unknownOrigin, type Provenance } from '../../../../relayer/account/provenance/provenance.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { openTokens, type TokenDesk } from '../../../../relayer/market/open-tokens.ts'
import { pricesConfig } from '../../../../relayer/market/prices/config.ts'
import { tokensConfig } from '../../../../relayer/market/tokens/config.ts'
import { createEncoder } from '../../../../schema/define/encode.ts'
import { describeOrigin } from '../../../../schema/account/provenance/describe-origin.ts'
import { describeGroups } from '../../../../schema/account/provenance/describe-source.ts'
import { provenance } from '../../../../schema/account/provenance/model.ts'
import { provenanceLabelGroups } from '../../../../schema/account/provenance/source-model.ts'
import { findUndocumented } from '../../../harness/find-undocumented.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import {
  fundOwner,
  openOwner,
  seedTokens,
  writeHistory,
  type Party,
  type Step,
} from '../../../relayer/account/provenance/seed-history.ts'

type Described = z.input<typeof provenance>

const run = sql.typeAlias('void')
const APP = 'https://app.example'
const encode = createEncoder(provenance)
const encodeGroups = createEncoder(provenanceLabelGroups)

let database: TestDatabase
let desk: TokenDesk
let tokens: Awaited<ReturnType<typeof seedTokens>>
let service: Provenance
/** All answers to this file's tests. */
const told: Described[] = []
const groupsTold: z.input<typeof provenanceLabelGroups>[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  desk = await openTokens({
    database: database.pool,
    chains: new Map(),
    config: { catalog: tokensConfig.parse({}), prices: pricesConfig.parse({}) },
    logger: pino({ level: 'silent' }),
  })
  tokens = await seedTokens(database.pool)
  service = createProvenance({
    database: database.pool,
    ...desk,
    secrets: createTransientSecrets(new Uint8Array(32)),
    actionOf: (kind) => kind,
    describeApp: createAppRegistry(
      appsConfig.parse({
        recognised: [
          { origin: 'https://app.example', displayName: 'The App', iconUrl: 'https://app.example/icon.svg' },
        ],
      }),
      { loopback: false },
    ).name,
  })
})
afterAll(async () => {
  await desk?.stop()
  await database?.drop()
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
  const keep = (described: Described) => {
    expect(findUndocumented(provenance, described)).toEqual([])
    told.push(described)
    return described
  }
  return {
    ...owner,
    history,
    /** The explanation of T at an address. */
    async ofT(name: Party, { chainId = 1, app }: { chainId?: number; app?: string } = {}) {
      const holding = { chainId, address: owner.parties[name], token: tokens.T }
      const explained = await service.explainHoldings(owner.accountId, [holding])
      const groups = encodeGroups(describeGroups(explained.groups, app))
      expect(findUndocumented(provenanceLabelGroups, groups)).toEqual([])
      groupsTold.push(groups)
      const named = keep(encode(describeOrigin(explained.of(holding), app)))
      for (const id of [named.sourceLabelGroupId, named.funding.labelGroupId, named.association.labelGroupId])
        if (id !== null) expect(groups.map(({ labelGroupId }) => labelGroupId)).toContain(id)
      return { ...named, groups }
    },
    async arrivedByFirst(address: Address) {
      const move = { chainId: 1, address, token: tokens.T, txHash: history[0]!.txHash! }
      const explained = await service.explainMoves(owner.accountId, [move])
      return keep(encode(describeOrigin(explained.arrived(move))))
    },
  }
}

it('money from others at one address is untagged until its owner tags it', async () => {
  const { accountId, parties, history, ofT } = await openWallet([pay('x', 'A', 10)])
  const source = {
    id: `receive:${parties.A}`,
    kind: 'receive',
    address: parties.A,
    origin: { chainId: 1, txHash: history[0]?.txHash, transferOrLogIndex: 0 },
    tagPayloadCiphertext: null,
    tagPayloadUpdatedAt: null,
    tagEligibility: 'eligible',
    tagEditable: true,
    systemTags: [],
  }
  expect(await ofT('A')).toMatchObject({
    status: 'resolved',
    outputSystemTags: [],
    unresolvedReasons: [],
    displayContext: { reason: 'fresh_receive', currentOutputCount: 1, sourceCount: 1, actionTypes: [] },
    association: {
      status: 'clean',
      summary: { sourceCount: 1, userTaggedSourceCount: 0, untaggedSourceCount: 1 },
    },
    display: { badgeKind: 'untagged', label: null, associationLabel: null },
    editableSource: source,
    groups: [{ sourceCount: 1, truncated: false, sources: [source] }],
  })
  await writeTag(database.pool, accountId, parties.A, 'c2VhbGVk')
  expect(await ofT('A')).toMatchObject({
    association: { summary: { userTaggedSourceCount: 1, untaggedSourceCount: 0 } },
    // The client alone can read the tag.
    display: { badgeKind: 'tagged', label: null, fundingLabel: null },
    editableSource: { ...source, tagPayloadCiphertext: 'c2VhbGVk', tagPayloadUpdatedAt: expect.any(String) },
  })
})

it('a source names the app that knows its address, and whether it is the one that is asked about', async () => {
  const { accountId, parties, ofT } = await openWallet([pay('x', 'A', 10), pay('x', 'B', 10)])
  await database.pool.query(run`
    insert into dapp_use (account_id, address, origin, last_used_at) values
    (${accountId}, ${parties.A}, ${APP}, '2026-01-02'),
    (${accountId}, ${parties.B}, 'https://other.example', '2026-01-03')`)
  const [tag] = (await ofT('A', { app: APP })).editableSource?.systemTags ?? []
  expect(tag).toEqual({
    type: 'app-use',
    text: 'Shown to The App',
    explanationKey: 'app_use',
    evidence: {
      address: parties.A,
      origins: [
        {
          origin: APP,
          displayName: 'The App',
          iconUrl: 'https://app.example/icon.svg',
          lastUsedAt: '2026-01-02T00:00:00.000Z',
        },
      ],
      matchedOrigin: APP,
      latestUsedAt: '2026-01-02T00:00:00.000Z',
    },
  })
  const [other] = (await ofT('B', { app: APP })).editableSource?.systemTags ?? []
  expect(other).toMatchObject({ text: 'Shown to other.example', evidence: { matchedOrigin: null } })
})

it('funds out of a pool are private wherever they move, with the events of the chain', async () => {
  const outOfPool = { from: 'entrypoint', to: 'A', amount: 10, token: 'T' } as const
  const other = { from: 'x', to: 'B', amount: 3, token: 'T' } as const
  const { parties, history, ofT, arrivedByFirst } = await openWallet(
    [
      pay('x', 'B', 1, { movements: [other, outOfPool], relays: 10 }),
      pay('entrypoint', 'D', 10, { relays: 10 }),
      pay('D', 'B', 10),
    ],
    10n,
  )
  const evidence = {
    chainId: 1,
    txHash: history[0]?.txHash,
    transferOrLogIndex: 1,
    receiveFromAddress: parties.entrypoint,
    entrypointAddress: parties.entrypoint,
    poolAddress: parties.y,
  }
  const tag = { type: 'privacy-provider-origin', provider: 'privacy-pools', evidence }
  expect(await ofT('A')).toMatchObject({
    outputSystemTags: [tag],
    displayContext: { reason: 'platform_action_output', actionTypes: ['INCOGNITO_SELF_SEND'] },
    display: { badgeKind: 'untagged', label: 'Private', fundingLabel: 'Paid out of a privacy pool' },
    editableSource: { kind: 'private', tagEligibility: 'private_origin', tagEditable: false },
  })
  expect((await arrivedByFirst(parties.A)).outputSystemTags).toMatchObject([tag])
  // Further on the chain shows a move of the account's own; the source stays private.
  expect(await ofT('B')).toMatchObject({
    outputSystemTags: [],
    displayContext: { reason: 'carried_source', actionTypes: ['SELF'] },
    display: { label: 'Private' },
    association: { status: 'linked' },
    editableSource: { id: `private:${parties.D}` },
  })
  const elsewhere = await openWallet([
    pay('x', 'A', 10),
    pay('entrypoint', 'C', 10, { chainId: 10, relays: 10 }),
  ])
  expect((await elsewhere.ofT('C', { chainId: 10 })).outputSystemTags).toMatchObject([
    { evidence: { chainId: 10, poolAddress: elsewhere.parties.y, poolTransferOrLogIndex: 92 } },
  ])
})

it('several sources are mixed, older funds are marked as such, and dust is counted and no source', async () => {
  const { accountId, parties, ofT } = await openWallet([
    pay('x', 'A', 10),
    pay('x', 'B', 10),
    pay('A', 'C', 4),
    pay('B', 'C', 6),
    pay('y', 'C', 0, { movements: [{ from: 'y', to: 'C', amount: 9, token: 'U' }] }),
    pay('x', 'D', 4),
  ])
  // Then it is unsolicited: no list has the token, and it has no price.
  await database.pool.query(run`
    delete from account_token where account_id = ${accountId} and address = ${tokens.U}`)
  expect(await ofT('C')).toMatchObject({
    displayContext: { reason: 'mixed_current_outputs', currentOutputCount: 2, sourceCount: 2 },
    display: {
      badgeKind: 'mixed',
      label: 'Several sources',
      fundingLabel: '2 parts from 2 sources',
      associationLabel: 'Observers can join 2 sources',
    },
    association: { status: 'linked', ignoredUnsolicitedCount: 1, summary: { sourceCount: 2 } },
    editableSource: null,
  })
  // All funds of A and B were seen to arrive; half of D's were there before, and all of C's elsewhere.
  expect(await ofT('D')).toMatchObject({
    olderFundsCount: 1,
    funding: { olderFundsCount: 1 },
    display: { badgeKind: 'mixed' },
  })
  expect(await ofT('C', { chainId: 10 })).toMatchObject({
    status: 'resolved',
    sourceLabelGroupId: null,
    displayContext: { reason: 'older_funds', sourceCount: 0 },
    display: { badgeKind: 'older_funds', label: 'Older funds' },
    editableSource: null,
  })
  await database.pool.query(run`update holding set stale = true where address = ${parties.C}`)
  expect(await ofT('C')).toMatchObject({
    status: 'unavailable',
    unresolvedReasons: ['holding_stale'],
    funding: { labelGroupId: null, unresolvedReasons: ['holding_stale'] },
    association: { status: 'unknown', unresolvedReasons: ['holding_stale'], summary: { unknownCount: 1 } },
    displayContext: { reason: 'unavailable', currentOutputCount: 0 },
    display: { badgeKind: 'unknown', label: 'Unknown origin', fundingLabel: 'The balance could not be read' },
  })
  await database.pool.query(run`
    update watched_address set history_next = 1, watched_since = now() + interval '1 hour'
    where address = ${parties.A} and chain_id = 1`)
  expect(await ofT('A')).toMatchObject({
    unresolvedReasons: ['history_incomplete'],
    display: { fundingLabel: 'The history of the address is still being read' },
  })
  await database.pool.query(run`update watched_address set history_next = null where address = ${parties.A}`)
  // Older money that moved joins the addresses with unknown ones.
  await writeTag(database.pool, accountId, parties.D, 'c2VhbGVk')
  await writeHistory(
    database.pool,
    { accountId, parties, own: Object.values(parties).slice(0, 4), tokens },
    [pay('D', 'B', 10)],
    50,
  )
  expect(await ofT('B')).toMatchObject({
    association: {
      status: 'unknown',
      olderFundsCount: 1,
      unresolvedReasons: [],
      summary: { olderFundsCount: 1 },
    },
    display: { associationLabel: 'Observers can join it with older funds' },
  })
})

it("a pending payment out of a pool's note has an unknown origin", () => {
  const described = encode(describeOrigin(unknownOrigin(`0x${'1'.repeat(40)}`, 'pool_spend')))
  expect(findUndocumented(provenance, described)).toEqual([])
  expect(described).toMatchObject({
    status: 'unavailable',
    unresolvedReasons: ['pool_spend'],
    editableSource: null,
  })
})

/** Members that can have one value only: there is one provider, one tag of each kind, and one app knows an address. */
const CONSTANT = new Set([
  ...['type', 'provider', 'text', 'explanationKey'].map((name) => `outputSystemTags[].${name}`),
  ...['type', 'explanationKey', 'evidence.origins'].map((name) => `editableSource.systemTags[].${name}`),
])

it('no member of the answers so far always has the same value', () => {
  const seen = new Map<string, Set<string>>()
  for (const one of told) collectValues(one, '', seen)
  const constant = [...seen]
    .filter(([, values]) => values.size < 2 && !values.has('object'))
    .map(([path]) => path)
  expect(constant.filter((path) => !CONSTANT.has(path))).toEqual([])
  expect([...CONSTANT].filter((path) => !constant.includes(path))).toEqual([])
  expect(seen.get('displayContext.reason')?.size).toBe(6)
  expect(seen.get('display.badgeKind')?.size).toBe(5)
  expect(seen.get('association.status')?.size).toBe(3)
  expect(new Set(groupsTold.map(({ length }) => length)).size).toBeGreaterThan(1)
})

/**
 * Collects the values of every member, by its path. Of a list it also collects the length, and of a nullable member
 * whether it is null.
 */
function collectValues(value: unknown, path: string, seen: Map<string, Set<string>>): void {
  const note = (text: string) => seen.set(path, (seen.get(path) ?? new Set()).add(text))
  if (Array.isArray(value)) {
    note(`${value.length}`)
    for (const item of value) collectValues(item, `${path}[]`, seen)
  } else if (typeof value === 'object' && value !== null) {
    note('object')
    for (const [name, member] of Object.entries(value))
      collectValues(member, path === '' ? name : `${path}.${name}`, seen)
  } else note(String(value))
}
