import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseEther,
  zeroAddress,
  type Address,
  type Hash,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { deleteAccount } from '../../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../../relayer/identity/open-master-keys.ts'
import { openTransientSecrets } from '../../../relayer/identity/transient-secrets.ts'
import { deriveAccounts } from '../../devnet/accounts.ts'
import { computeAddresses } from '../../devnet/deploy/devnet-addresses.ts'
import { addressBalances } from '../../../schema/account/balances/model.ts'
import { activities, activitySearchAnswer } from '../../../schema/activity/model.ts'
import { pendingActivities } from '../../../schema/activity/pending-operations.ts'
import { buildGraph } from '../../../schema/build-graph.ts'
import { writeDecimal } from '../../../schema/graph/text-scalars.ts'
import { openClient } from '../../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
import { findUndocumented } from '../../harness/find-undocumented.ts'
import { fieldsOf, selectAllFields } from '../../harness/select-all-fields.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'

type Client = Awaited<ReturnType<typeof openClient>>
type Listed = z.input<typeof activities>

let service: TestService
let payer: Payer
let client: Client
let received: { address: Address; nonce: string }[]
let dollar: Address
const stranger = '0x000000000000000000000000000000000000bEEF' as Address

const CHAIN = 31_337
const graph = buildGraph()
const { collectible } = computeAddresses(deriveAccounts().deployer.address, CHAIN)

const openAccount = () =>
  openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

/** Sends from the key of a one-time address. */
const senderOf = (nonce: string) =>
  createWalletClient({
    account: client.controlOf(nonce),
    chain: payer.wallet.reader.chain,
    transport: http(payer.chain.rpcUrl),
  })
const mined = async (hash: Promise<`0x${string}`>) =>
  payer.wallet.reader.waitForTransactionReceipt({ hash: await hash })

const list = async (query = '') => {
  const answer = await client.ask<Listed>('GET', `/v1/accounts/${client.accountId}/activities${query}`)
  activities.parse(answer)
  return answer
}
const search = async (body: unknown) => {
  const path = `/v1/accounts/${client.accountId}/activities/search`
  const answer = await client.ask<z.input<typeof activitySearchAnswer>>('POST', path, body)
  activitySearchAnswer.parse(answer)
  return answer
}

beforeAll(async () => {
  service = await startTestService()
  payer = await openPayer(service, 6)
  dollar = payer.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!.address
  client = await openAccount()
  received = [await client.receive(), await client.receive()]
  const [first, second] = received as [(typeof received)[0], (typeof received)[0]]
  await payer.payNative(first.address, parseEther('1'))
  await payer.payToken(dollar, first.address, 5_000_000n)
  await payer.mintCollectible(collectible, first.address, 11n)
  // Address poisoning: a transfer of nothing.
  await payer.payToken(dollar, second.address, 0n)
  const sender = senderOf(first.nonce)
  await mined(sender.sendTransaction({ to: stranger, value: parseEther('0.1') }))
  await mined(
    sender.writeContract({
      address: dollar,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [second.address, 2_000_000n],
    }),
  )
  await mined(
    sender.writeContract({ address: dollar, abi: erc20Abi, functionName: 'approve', args: [stranger, 1n] }),
  )
  await waitUntilIndexed(service, payer)
})
afterAll(() => service?.stop())

test('activity shows a call by the address itself with its calldata, and no app', async () => {
  const [call, ...others] = (await list()).activity
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, 1n] })
  expect(JSON.parse(call?.calldata ?? '')).toEqual([{ to: dollar, value: '0', data }])
  expect(call?.dappMeta).toBeUndefined()
  expect(others.flatMap(({ calldata }) => calldata ?? [])).toEqual([])
})

test('each transaction is listed once, newest first, with its kind', async () => {
  const { activity, pagination } = await list()
  expect(activity.map(({ kind, isExternal, isLikelySpam }) => ({ kind, isExternal, isLikelySpam }))).toEqual([
    { kind: 'DAPP_CALL', isExternal: true, isLikelySpam: false },
    { kind: 'SELF', isExternal: true, isLikelySpam: false },
    { kind: 'SEND', isExternal: true, isLikelySpam: false },
    { kind: 'RECEIVE', isExternal: false, isLikelySpam: true },
    { kind: 'RECEIVE', isExternal: false, isLikelySpam: false },
    { kind: 'RECEIVE', isExternal: false, isLikelySpam: false },
    { kind: 'RECEIVE', isExternal: false, isLikelySpam: false },
  ])
  expect(pagination).toEqual({ limit: 100, nextCursor: null })
  const [, , send] = activity
  expect(send).toMatchObject({
    executionStatus: 'succeeded',
    lifecycle: { state: 'indexed' },
    fundingAddresses: [received[0]!.address],
    transfer: {
      tokenAddress: zeroAddress,
      tokenSymbol: 'ETH',
      fromAddress: received[0]!.address,
      toAddress: stranger,
      value: String(parseEther('0.1')),
      usdAmount: 300,
    },
    fee: { tokenSymbol: 'ETH' },
    offRamp: null,
  })
  const { gasUsed, effectiveGasPrice } = await payer.wallet.reader.getTransactionReceipt({
    hash: send!.txHash as `0x${string}`,
  })
  expect(send!.fee?.value).toBe(String(gasUsed * effectiveGasPrice))
})

test('spam is filtered before the limit applies', async () => {
  const { activity } = await list('?hideLikelySpam=true&limit=4')
  expect(activity.map(({ kind }) => kind)).toEqual(['DAPP_CALL', 'SELF', 'SEND', 'RECEIVE'])
})

test('pages join without a gap or a repeat, also while new activity comes on top', async () => {
  const all = (await list()).activity.map(({ txHash }) => txHash)
  const seen: (string | null)[] = []
  let cursor: string | null = null
  do {
    const page: Listed = await list(`?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
    seen.push(...page.activity.map(({ txHash }) => txHash))
    cursor = page.pagination.nextCursor
    if (seen.length === 2) {
      await payer.payNative(received[1]!.address, 5n)
      await waitUntilIndexed(service, payer)
    }
  } while (cursor)
  expect(seen).toEqual(all)
})

test('a search by address finds transactions that involve it directly', async () => {
  const withStranger = await search({ address: stranger, include: { summary: true } })
  expect(withStranger.activity.map(({ kind }) => kind)).toEqual(['SEND'])
  expect(withStranger.searchSummary).toEqual({ address: stranger, interactionCount: 1, chainIds: [CHAIN] })
  const own = await search({ address: received[1]!.address, filters: { hideLikelySpam: true } })
  expect(own.activity.map(({ kind }) => kind)).toEqual(['RECEIVE', 'SELF'])
  expect(own.searchSummary).toBeNull()
  const inbound = await search({ address: payer.wallet.account.address, filters: { hideExternal: true } })
  expect(inbound.activity.every(({ kind }) => kind === 'RECEIVE')).toBe(true)
})

test('balances and activity say where money came from, by REST and by GraphQL alike', async () => {
  const home = `/v1/accounts/${client.accountId}`
  const [first, second] = received.map(({ address }) => address) as [Address, Address]
  await client.ask('PUT', `${home}/provenance-address-tags/${first}`, { tagPayloadCiphertext: 'c2VhbGVk' })
  const balances = await client.ask<z.input<typeof addressBalances>>('GET', `${home}/address-balances`)
  expect(findUndocumented(addressBalances, balances)).toEqual([])
  const heldBy = (address: Address, token: Address) =>
    balances.addresses.find((one) => one.address === address)?.balances.find((one) => one.token === token)
  const received_ = heldBy(first, zeroAddress)!
  expect(received_).toMatchObject({
    // The collectible counts as unasked for.
    addressSummary: { trustedReceiveActionCount: 2, trustedReceiveActionTypes: ['RECEIVE'] },
    provenance: {
      status: 'resolved',
      displayContext: { reason: 'fresh_receive' },
      display: { badgeKind: 'tagged' },
      association: { status: 'clean', ignoredUnsolicitedCount: 1 },
      editableSource: { id: `receive:${first}`, tagPayloadCiphertext: 'c2VhbGVk' },
    },
  })
  // The client checks where the source came from on the chain.
  const origin = received_.provenance.editableSource!.origin!
  const paid = await payer.wallet.reader.getTransaction({ hash: origin.txHash as Hash })
  expect(paid).toMatchObject({ to: first.toLowerCase(), value: parseEther('1') })

  const moved = heldBy(second, dollar)!
  expect(moved).toMatchObject({
    addressSummary: { trustedReceiveActionCount: 1, trustedReceiveActionTypes: ['SELF'] },
    provenance: {
      displayContext: { reason: 'carried_source', actionTypes: ['SELF'] },
      funding: { labelGroupId: received_.provenance.funding.labelGroupId },
      editableSource: { id: `receive:${first}` },
    },
  })
  const [group] = balances.provenanceLabelGroups
  expect(group).toMatchObject({
    labelGroupId: moved.provenance.sourceLabelGroupId,
    sourceCount: 1,
    sources: [{ address: first }],
  })
  // A test before sent it dust, which is counted but joins it with no other address.
  expect(heldBy(second, zeroAddress)?.provenance).toMatchObject({
    association: { status: 'clean', labelGroupId: group!.labelGroupId, ignoredUnsolicitedCount: 1 },
  })

  const { activity, provenanceLabelGroups } = await list()
  const ofKind = (kind: string) => activity.find((one) => one.kind === kind)!
  const tagged = { display: { badgeKind: 'tagged' }, editableSource: { id: `receive:${first}` } }
  expect(ofKind('SEND')).toMatchObject({ sourceProvenance: tagged, transfer: { provenance: tagged } })
  expect(ofKind('SELF')).toMatchObject({
    sourceProvenance: { ...tagged, displayContext: { reason: 'fresh_receive' } },
    transfer: { provenance: { ...tagged, displayContext: { reason: 'carried_source' } } },
  })
  const minted = activity.find(({ transfer }) => transfer?.tokenAddress === collectible)
  expect(minted?.transfer?.provenance).toMatchObject({
    displayContext: { reason: 'fresh_receive', currentOutputCount: 1 },
    editableSource: { id: `receive:${first}` },
  })
  // Nothing arrived by a transfer of nothing.
  expect(activity.find(({ isLikelySpam }) => isLikelySpam)?.sourceProvenance).toMatchObject({
    status: 'unavailable',
    unresolvedReasons: ['passed_through'],
  })
  expect(provenanceLabelGroups).toContainEqual(group)
  for (const [shape, answer] of [
    [activities, await list()],
    [activitySearchAnswer, await search({ address: second })],
    [pendingActivities, await client.ask('GET', `${home}/activities/pending`)],
  ] as const)
    expect(findUndocumented(shape, answer)).toEqual([])

  const wanted = fieldsOf(graph.getQueryType())
    .filter(({ name }) => ['addressBalances', 'accountActivities'].includes(name))
    .map(
      (field) => `${field.name}(accountId: "${client.accountId}") ${selectAllFields(field.type, ['Query'])}`,
    )
  const { data } = await client.ask<{ data: unknown }>('POST', '/graphql', {
    query: `{ ${wanted.join(' ')} }`,
  })
  expect(withoutNulls(data)).toEqual(
    withoutNulls({ addressBalances: balances, accountActivities: await list() }),
  )
})

interface ActivitiesAnswer {
  viewer: {
    account: {
      activities: {
        edges: { node: ActivityNode }[]
        pageInfo: { hasNextPage: boolean; endCursor: string | null }
      }
    }
  }
}

interface ActivityNode {
  id: string
  txHash: string | null
  kind: string
  amount: string | null
  to: string | null
}

test('GraphQL pages through the same activities, each with an id by which its account alone finds it again', async () => {
  const { activity } = await list()
  const facts = 'id txHash kind amount to executionStatus'
  const nodes: ActivityNode[] = []
  for (let after: string | null = null, hasNext = true; hasNext;) {
    const answer: { data: ActivitiesAnswer } = await client.ask('POST', '/graphql', {
      query: `query ($after: String) { viewer { account { activities(first: 3, after: $after) {
        edges { node { ${facts} } } pageInfo { hasNextPage endCursor } } } } }`,
      variables: { after },
    })
    const page: ActivitiesAnswer['viewer']['account']['activities'] = answer.data.viewer.account.activities
    nodes.push(...page.edges.map(({ node }) => node))
    after = page.pageInfo.endCursor
    hasNext = page.pageInfo.hasNextPage
  }
  expect(nodes.map(({ txHash, kind, amount, to }) => ({ txHash, kind, amount, to }))).toEqual(
    activity.map(({ txHash, kind, transfer }) => ({
      txHash,
      kind,
      amount: transfer?.value ?? null,
      to: transfer?.toAddress ?? null,
    })),
  )
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
  const ids = nodes.slice(0, 30).map(({ id }) => id)
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Activity { ${facts} } } }`
  const again = await client.ask('POST', '/graphql', { query, variables: { ids } })
  expect(again).toEqual({ data: { nodes: nodes.slice(0, 30) } })
  const other = await openAccount()
  expect(await other.ask('POST', '/graphql', { query, variables: { ids } })).toEqual({
    data: { nodes: ids.map(() => null) },
  })
})

/** GraphQL has null where REST leaves a member out; fixed prices are observed whenever they are asked for. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'priceObservedAt'
        ? undefined
        : // GraphQL has decimals as text.
          typeof member === 'number' && /usd|price/i.test(name)
          ? writeDecimal(member)
          : (member ?? undefined),
    ),
  )

test('invalid queries are refused, and other accounts see nothing', async () => {
  await expect(list('?cursor=bm9uc2Vuc2U%3D')).rejects.toThrow(/: 400 .*cursor/)
  await expect(list('?limit=501')).rejects.toThrow(/: 400 .*limit/)
  await expect(search({ address: '0x12' })).rejects.toThrow(/: 400 .*address/)
  const other = await openAccount()
  await expect(other.ask('GET', `/v1/accounts/${client.accountId}/activities`)).rejects.toThrow(/: 404 /)
  expect(await other.ask('GET', `/v1/accounts/${other.accountId}/activities`)).toMatchObject({ activity: [] })
})

test('one transaction that pays two accounts shows each its own part alone', async () => {
  const other = await openAccount()
  const theirs = await other.receive()
  const { multicall } = service.parts.chains[0]!.relayer!
  const abi = [
    {
      type: 'function',
      name: 'aggregate3Value',
      stateMutability: 'payable',
      inputs: [
        {
          name: 'calls',
          type: 'tuple[]',
          components: [
            { name: 'target', type: 'address' },
            { name: 'allowFailure', type: 'bool' },
            { name: 'value', type: 'uint256' },
            { name: 'callData', type: 'bytes' },
          ],
        },
      ],
      outputs: [],
    },
  ] as const
  const call = (target: Address, value: bigint) => ({
    target,
    allowFailure: false,
    value,
    callData: '0x' as const,
  })
  const hash = await payer.wallet.sender.writeContract({
    address: multicall!,
    abi,
    functionName: 'aggregate3Value',
    args: [[call(theirs.address, 3n), call(received[0]!.address, 4n)]],
    value: 7n,
  })
  await payer.wallet.reader.waitForTransactionReceipt({ hash })
  await waitUntilIndexed(service, payer)
  const { activity } = await search({ address: received[0]!.address, pagination: { limit: 1 } })
  expect(activity[0]?.txHash).toBe(hash)
  expect(activity[0]?.transfers.map(({ toAddress, value }) => ({ toAddress, value }))).toEqual([
    { toAddress: received[0]!.address, value: '4' },
  ])
  expect(JSON.stringify(activity)).not.toContain(theirs.address)
})

test("funds from before an account was deleted and made again are older funds, whatever the chain's clock shows", async () => {
  const keys = { url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const earlier = await openClient(keys)
  await earlier.receive()
  const { address: next } = await earlier.receive()
  const { pool } = service.database
  const vault = createVault(openMasterKeys(service.config.identity.masterKeys, service.dataDir))
  const secrets = await openTransientSecrets({ database: pool, vault })
  expect(await deleteAccount(pool, earlier.accountId, secrets)).toBe(true)
  const other = await openClient(keys)
  const before = await other.receive()
  await payer.payToken(dollar, next, 3_000_000n)
  await payer.payToken(dollar, before.address, 4_000_000n)
  await waitUntilIndexed(service, payer)
  const late = await other.receive()
  expect(late.address).toBe(next)
  await waitUntilIndexed(service, payer)
  const originOf = async (address: Address) => {
    const path = `/v1/accounts/${other.accountId}/address-balances?address=${address}`
    const answer = await other.ask<z.input<typeof addressBalances>>('GET', path)
    const { addresses } = addressBalances.parse(answer)
    return addresses[0]?.balances.find(({ token }) => token === dollar)?.provenance
  }
  expect(await originOf(next)).toMatchObject({
    olderFundsCount: 1,
    sourceLabelGroupId: null,
    displayContext: { reason: 'older_funds' },
    funding: { olderFundsCount: 1 },
    association: { status: 'unknown', olderFundsCount: 1, summary: { sourceCount: 0, olderFundsCount: 1 } },
    display: { badgeKind: 'older_funds' },
    editableSource: null,
  })
  expect(await originOf(before.address)).toMatchObject({
    olderFundsCount: 0,
    displayContext: { reason: 'fresh_receive' },
    association: { status: 'clean', olderFundsCount: 0 },
  })
})
