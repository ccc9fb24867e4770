import { createWalletClient, erc20Abi, http, parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { deriveAccounts } from '../../../relayer/devnet/accounts.ts'
import { computeAddresses } from '../../../relayer/devnet/deploy/devnet-addresses.ts'
import { activities, activitySearchAnswer } from '../../../schema/activity/model.ts'
import { openClient } from '../../e2e/examples/client.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
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
const { collectible } = computeAddresses(deriveAccounts().deployer.address, CHAIN)

const openAccount = () =>
  openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

/** What the key of a one-time address sends. */
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
