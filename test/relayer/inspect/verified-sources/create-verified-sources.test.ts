import { pino } from 'pino'
import {
  concatHex,
  createTestClient,
  encodeDeployData,
  getAddress,
  http,
  keccak256,
  padHex,
  publicActions,
  size,
  slice,
  walletActions,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { sourcifyConfig } from '../../../../relayer/inspect/verified-sources/config.ts'
import { createVerifiedSources } from '../../../../relayer/inspect/verified-sources/create-verified-sources.ts'
import { forClient } from '../../../../relayer/shares/client.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { startNode, type Node } from '../../chain/broadcast/start-node.ts'
import { configOf } from '../../market/tokens/start-token-world.ts'
import { compileVerified, link } from './compile-verified.ts'
import { startSourceServer, type SourceServer } from './start-source-server.ts'

const CHAIN = 31_337
const PAY = '0xc4076876'
const OWNER = getAddress('0x00000000000000000000000000000000000000aa')
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const compiled = compileVerified()

let node: Node
let door: Door
let server: SourceServer
let library: Address
let contract: Address
let told: ReturnType<typeof describeVerified>

const openClient = () =>
  createTestClient({
    account: privateKeyToAccount(deriveAccounts().deployer.privateKey),
    chain: foundry,
    mode: 'anvil',
    transport: http(node.url),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions)
let client: ReturnType<typeof openClient>

async function deploy(data: Hex): Promise<Address> {
  const hash = await client.sendTransaction({ data, to: null } as never)
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  return getAddress(contractAddress ?? '0x')
}

const deployVerified = (limit: bigint) =>
  deploy(
    encodeDeployData({
      abi: compiled.Verified.abi,
      bytecode: link(
        compiled.Verified.evm.bytecode.object,
        compiled.Verified.evm.bytecode.linkReferences,
        library,
      ),
      args: [OWNER, limit],
    }),
  )

beforeAll(async () => {
  node = await startNode()
  client = openClient()
  door = await startDoor(node.url)
  server = await startSourceServer()
  library = await deploy(`0x${compiled.Sums.evm.bytecode.object}`)
  contract = await deployVerified(5n)
})
beforeEach(async () => {
  server.answerWith(null)
  server.take()
  told = describeVerified((await client.getCode({ address: contract })) ?? '0x')
  server.tell(contract, told)
})
afterAll(async () => {
  await server?.stop()
  await door?.close()
  await node?.stop()
})

/** Sourcify's answer about Verified: zeros for the library and the immutable variables, and their values. */
function describeVerified(code: Hex) {
  const { deployedBytecode } = compiled.Verified.evm
  const recompiled = link(deployedBytecode.object, deployedBytecode.linkReferences)
  const immutables = Object.entries(deployedBytecode.immutableReferences)
  const links = Object.values(deployedBytecode.linkReferences).flatMap((file) => Object.values(file).flat())
  const tail = size(recompiled) - 2 - Number(slice(recompiled, -2))
  return {
    match: 'exact_match',
    creationMatch: 'exact_match',
    runtimeMatch: 'exact_match' as string | null,
    abi: compiled.Verified.abi as unknown[],
    metadata: JSON.parse(compiled.Verified.metadata) as Record<string, unknown>,
    runtimeBytecode: {
      recompiledBytecode: recompiled,
      transformations: [
        ...links.map(({ start }) => ({ type: 'replace', reason: 'library', offset: start, id: 'Sums' })),
        ...immutables.flatMap(([id, places]) =>
          places.map(({ start }) => ({ type: 'replace', reason: 'immutable', offset: start, id })),
        ),
      ],
      transformationValues: {
        libraries: { Sums: library },
        immutables: Object.fromEntries(
          immutables.map(([id, [place]]) => [id, slice(code, place!.start, place!.start + place!.length)]),
        ) as Record<string, Hex>,
      } as Record<string, unknown>,
      immutableReferences: deployedBytecode.immutableReferences,
      cborAuxdata: { 1: { value: slice(recompiled, tail), offset: tail } },
    },
  }
}

const open = (settings: object = {}) =>
  createVerifiedSources(
    new Map([[CHAIN, openChain(configOf(door.url), pino({ level: 'silent' }))]]),
    sourcifyConfig.parse({ url: server.url, ...settings }),
    pino({ level: 'silent' }),
  )
type Sources = ReturnType<typeof open>
const find = (address = contract, selector: Hex = PAY, sources = open()) =>
  sources.find({ chainId: CHAIN, address, selector })
const refusal = (code: string | undefined) => expect.objectContaining({ code }) as unknown

describe('a contract', () => {
  test('is an exact match where the metadata in its code prove the sources', async () => {
    const code = (await client.getCode({ address: contract })) ?? '0x'
    expect(await find()).toEqual({
      contractKind: 'contract',
      functionDeclaration: 'function pay(address to, uint256 amount) view returns (bool)',
      functionHash: keccak256(Buffer.from('pay(address,uint256)')),
      runtimeCodeHash: keccak256(code),
      match: 'exact_match',
      runtimeMatch: 'exact_match',
      sourceUrl: `https://repo.sourcify.dev/${CHAIN}/${contract}`,
      implementation: null,
    })
  })

  test('is a mere match where the metadata do not prove it, or not the function', async () => {
    server.tell(contract, { ...told, metadata: { ...told.metadata, language: 'Vyper' } })
    expect(await find()).toMatchObject({ match: 'match', runtimeMatch: 'match' })
    server.tell(contract, { ...told, metadata: undefined })
    expect(await find()).toMatchObject({ match: 'match' })
    const renamed = JSON.parse(JSON.stringify(told.abi).replaceAll('"to"', '"victim"')) as unknown[]
    server.tell(contract, { ...told, abi: renamed })
    expect(await find()).toMatchObject({
      match: 'match',
      functionDeclaration: 'function pay(address victim, uint256 amount) view returns (bool)',
    })
  })

  test('shows no names that are no identifiers', async () => {
    const odd = JSON.parse(
      JSON.stringify(told.abi).replaceAll('"to"', '"to) payable returns (\\u202e"'),
    ) as unknown[]
    server.tell(contract, { ...told, abi: odd })
    expect(await find()).toMatchObject({
      functionDeclaration: 'function pay(address, uint256 amount) view returns (bool)',
    })
  })

  test.each<[string, (one: typeof told) => unknown]>([
    [
      'other code',
      (one) => ({
        ...one.runtimeBytecode,
        recompiledBytecode: `0x00${one.runtimeBytecode.recompiledBytecode.slice(4)}`,
      }),
    ],
    [
      'shorter code',
      (one) => ({
        ...one.runtimeBytecode,
        recompiledBytecode: slice(one.runtimeBytecode.recompiledBytecode, 0, 40),
      }),
    ],
    [
      'another library',
      (one) => ({
        ...one.runtimeBytecode,
        transformationValues: { ...one.runtimeBytecode.transformationValues, libraries: { Sums: OWNER } },
      }),
    ],
    ['no value', (one) => ({ ...one.runtimeBytecode, transformationValues: {} })],
    [
      'an insertion',
      (one) => ({
        ...one.runtimeBytecode,
        transformations: [{ type: 'insert', reason: 'library', offset: 0, id: 'Sums' }],
      }),
    ],
    [
      'a place outside of the code',
      (one) => ({
        ...one.runtimeBytecode,
        transformations: [{ type: 'replace', reason: 'library', offset: 9_999_999, id: 'Sums' }],
      }),
    ],
    [
      'the same place twice',
      (one) => ({
        ...one.runtimeBytecode,
        transformations: [...one.runtimeBytecode.transformations, one.runtimeBytecode.transformations[0]],
      }),
    ],
    [
      'all of the code as an immutable variable',
      (one) => ({
        ...one.runtimeBytecode,
        transformations: [{ type: 'replace', reason: 'immutable', offset: 0, id: 'x' }],
        transformationValues: { immutables: { x: '0x00' } },
      }),
    ],
    [
      'members of every object',
      (one) => ({
        ...one.runtimeBytecode,
        transformations: [{ type: 'replace', reason: 'library', offset: 0, id: 'constructor' }],
      }),
    ],
  ])('whose server reports %s is a mismatch', async (_, change) => {
    server.tell(contract, { ...told, runtimeBytecode: change(told) })
    await expect(find()).rejects.toThrow(refusal('CODE_MISMATCH'))
  })

  test('is not found without code, without a verified source, or without the function', async () => {
    await expect(find(OWNER)).rejects.toThrow('There is no contract')
    expect(server.take()).toEqual([])
    await expect(find(contract, '0xdeadbeef')).rejects.toThrow('No verified source has a function')
    server.tell(contract, undefined)
    await expect(find()).rejects.toThrow('No verified source has a function')
    await expect(open().find({ chainId: 5, address: contract, selector: PAY })).rejects.toThrow('that chain')
  })
})

describe('a proxy', () => {
  test('resolves to its present implementation', async () => {
    const proxy = getAddress('0x00000000000000000000000000000000000a0001')
    const point = (to: Address) =>
      client.setStorageAt({ address: proxy, index: IMPLEMENTATION_SLOT, value: padHex(to, { size: 32 }) })
    await client.setCode({ address: proxy, bytecode: '0x6000' })
    await point(contract)
    const sources = open()
    const code = (await client.getCode({ address: contract })) ?? '0x'
    expect(await find(proxy, PAY, sources)).toMatchObject({
      contractKind: 'proxy',
      runtimeCodeHash: keccak256('0x6000'),
      implementation: { address: contract, runtimeCodeHash: keccak256(code) },
      match: 'exact_match',
    })
    await point(library)
    await expect(find(proxy, PAY, sources)).rejects.toThrow('No verified source has a function')
    await client.setCode({
      address: proxy,
      bytecode: concatHex(['0x363d3d373d3d3d363d73', contract, '0x5af43d82803e903d91602b57fd5bf3']),
    })
    expect(await find(proxy, PAY, sources)).toMatchObject({ implementation: { address: contract } })
  })
})

describe('the server', () => {
  test('receives the chain and the address, and one question for all that ask at the same time', async () => {
    const sources = open()
    await Promise.all(Array.from({ length: 5 }, () => find(contract, PAY, sources)))
    await find(contract, PAY, sources)
    const asked = server.take()
    expect(asked).toHaveLength(1)
    expect(asked[0]?.path).toMatch(new RegExp(`^/v2/contract/${CHAIN}/${contract}\\?fields=[a-zA-Z.,]+$`))
    expect(Object.keys(asked[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'host',
      'sec-fetch-mode',
      'user-agent',
    ])
  })

  test('is asked anew about an address whose code changed', async () => {
    const sources = open()
    const other = await deployVerified(6n)
    server.tell(other, describeVerified((await client.getCode({ address: other })) ?? '0x'))
    expect(await find(other, PAY, sources)).toMatchObject({ match: 'exact_match' })
    await client.setCode({ address: other, bytecode: '0x6001' })
    await expect(find(other, PAY, sources)).rejects.toThrow(refusal('CODE_MISMATCH'))
    expect(server.take()).toHaveLength(2)
  })

  test.each([
    ['fails', { status: 500, body: '' }],
    ['has enough of us', { status: 429, body: '' }],
    ['is no server of JSON', { status: 200, body: '<html>' }],
    ['does not speak the protocol', { status: 200, body: '{"abi":{}}' }],
    ['answers 5 MiB', { status: 200, body: ' '.repeat(5 * 1024 * 1024) }],
    ['redirects', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }],
    ['is slow', { status: 200, body: '{}', delayMs: 400 }],
  ])('that %s is a bad gateway, and is left alone for a while', async (_, answer) => {
    server.answerWith(answer)
    const sources = open({ timeoutMs: 200 })
    await expect(find(contract, PAY, sources)).rejects.toThrow(refusal('SOURCES_UNAVAILABLE'))
    await expect(find(contract, PAY, sources)).rejects.toThrow(refusal('SOURCES_UNAVAILABLE'))
    expect(server.take()).toHaveLength(1)
  })

  /** Deploys contracts without verified sources, each at its own address. */
  const deployMany = (count: number, from: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const address = getAddress(padHex(`0x${(index + from).toString(16)}`, { size: 20 }))
        await client.setCode({ address, bytecode: '0x6000' })
        return address
      }),
    )
  const askAs = (network: string, account: string | null, some: readonly Address[], sources: Sources) =>
    forClient({ network, account }, () =>
      Promise.allSettled(some.map((address) => find(address, PAY, sources))),
    )

  test('is asked four questions at a time; others wait for their turn', async () => {
    server.answerWith({ status: 404, body: '', delayMs: 50 })
    const sources = open({ questionsPerMinute: 600 })
    const told = await askAs('home', null, await deployMany(7, 0xb000), sources)
    expect(told.map(({ status }) => status)).toEqual(Array(7).fill('rejected'))
    expect(server.most()).toBe(4)
    expect(server.take()).toHaveLength(7)
  })

  test.each([
    ['a stranger', 1, 1],
    ['a hundred accounts of one network', 1, 100],
    ['a hundred networks', 100, 1],
  ])('is asked for others while %s looks up all it can', async (_, networks, accounts) => {
    server.tell(contract, told)
    const sources = open({ questionsPerMinute: 1_000 })
    const flood = await deployMany(500, 0xc000)
    for (const [index, address] of flood.entries())
      await askAs(`flood ${index % networks}`, `free ${index % accounts}`, [address], sources)
    const asked = server.take().length
    expect(asked).toBeLessThan(400)
    const [answer] = await askAs('home', null, [contract], sources)
    expect(answer).toMatchObject({ value: { match: 'exact_match' } })
    // A cached answer costs no question.
    const [kept] = await askAs('flood 0', 'free 0', [contract], sources)
    expect(kept).toMatchObject({ value: { match: 'exact_match' } })
  })

  test('is not asked again within a day about unverified contracts, and a used-up share is not cached as an answer', async () => {
    const sources = open({ questionsPerMinute: 12 })
    const [first, ...others] = await deployMany(40, 0xd000)
    if (!first) throw new Error('nothing was deployed')
    const [miss] = await askAs('home', null, [first], sources)
    expect(miss).toMatchObject({ reason: { kind: 'not-found' } })
    expect(server.take()).toHaveLength(1)
    const day = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_000_000)
    await askAs('home', null, [first], sources)
    day.mockRestore()
    expect(server.take()).toEqual([])
    const refused = await askAs('home', null, others, sources)
    expect(refused.at(-1)).toMatchObject({
      reason: { code: 'SOURCES_UNAVAILABLE', retryAfterSeconds: 30 },
    })
    const last = others.at(-1)
    if (last)
      expect(await askAs('other', null, [last], sources)).toMatchObject([{ reason: { kind: 'not-found' } }])
  })

  test('is not asked while the node is silent, which is a bad gateway', async () => {
    const sources = open()
    door.shut('all')
    await expect(find(contract, PAY, sources)).rejects.toThrow(refusal('SOURCES_UNAVAILABLE'))
    door.open()
    expect(server.take()).toEqual([])
  })
})
