import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format, formatTypedData, type Descriptor } from '@ethereum-sourcify/clear-signing'
import canonicalize from 'canonicalize'
import { pino } from 'pino'
import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  getAddress,
  keccak256,
  maxUint256,
  padHex,
  parseAbi,
  parseEther,
  toFunctionSelector,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { depositAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { readDescription, type DescribedChain } from '../../../devnet/devnet-description.ts'
import { createClearSigning } from '../../../../relayer/inspect/clear-signing/create-clear-signing.ts'
import { openActiveDescriptors } from '../../../../relayer/inspect/clear-signing/open-active-descriptors.ts'
import { routerAbi } from '../../../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { openGateway } from '../../../gateway/open-gateway.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { call, graphql } from '../../../harness/call.ts'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { countRpc } from '../../../harness/count-rpc.ts'
import { startDoor } from '../../../harness/start-door.ts'
import { showCall, showTypedData } from '../../../../schema/client/provider/show-call.ts'
import { followCommand } from '../../../gateway/admin/follow-command.ts'
import { COMMIT, describing, writeRegistry } from './registry-files.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { INTENT_TYPES } from '../../../../relayer/transact/intents/intent-wire.ts'

const [PERMIT, OTHER_NAME, OTHER_DECIMALS, UNLISTED, PROXY, IMPLEMENTATION_ADMIN] = Array.from(
  { length: 6 },
  (_, place) => getAddress(padHex(toHex(0xc1ea00 + place), { size: 20 })),
) as [Address, Address, Address, Address, Address, Address]
const SOMEBODY = getAddress('0x00000000000000000000000000000000000a11ce')
const SLOT = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
}

let service: TestService
let chain: DescribedChain
let folder: string
const contracts = compileSolidity(
  { 'Permits.sol': await readFile(new URL('Permits.sol', import.meta.url), 'utf8') },
  {},
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'descriptor-test-'))
  const listed = [PERMIT, OTHER_NAME, OTHER_DECIMALS].map((address) => ({
    chainId: 31_337,
    address,
    symbol: 'PMT',
    name: 'Permit Token',
    decimals: 6,
  }))
  const list = join(folder, 'list.json')
  await writeFile(
    list,
    JSON.stringify({ name: 'Test list', timestamp: '2026-01-01T00:00:00Z', tokens: listed }),
  )
  service = await startTestService({ catalog: { list: { file: list } } })
  ;[chain] = (await readDescription(service.dataDir)).chains as [DescribedChain]
  await lay(PERMIT, 'PermitToken')
  await lay(OTHER_NAME, 'OtherNameToken')
  await lay(OTHER_DECIMALS, 'OtherDecimalsToken')
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const node = <Result>(method: string, ...params: unknown[]) =>
  askNode<Result>(chain.rpcUrl, method, ...params)

/** Puts the code of a contract, or other code, at an address. */
async function lay(address: Address, what: string): Promise<void> {
  const contract = contracts[what]
  const code = contract ? await node('eth_call', { data: contract.bytecode }, 'latest') : what
  await node('anvil_setCode', address, code)
}
const setSlot = (address: Address, slot: string, value: Hex) =>
  node('anvil_setStorageAt', address, slot, padHex(value, { size: 32 }))

interface Answer {
  kind: string
  descriptor: Descriptor
  source: { descriptorHash: string; path: string; status: string }
  binding: { kind: string; standard: string | null; address: Address; evidence: Record<string, unknown> }
}

const ask = (kind: string, address: Address, more: Record<string, string> = {}, headers = {}) => {
  const query = new URLSearchParams({ chainId: '31337', address, kind, ...more })
  return call(`${service.url}/v1/clear-signing/descriptor?${query}`, { headers })
}

/** The answer for a call or a message, whose hash is recomputed. */
async function find(kind: string, address: Address, more: Record<string, string> = {}): Promise<Answer> {
  const { status, json } = await ask(kind, address, more)
  expect([status, json?.['message']]).toEqual([200, undefined])
  const answer = json as unknown as Answer
  expect(keccak256(toHex(canonicalize(answer.descriptor) ?? ''))).toBe(answer.source.descriptorHash)
  return answer
}

/** The wallet's own knowledge of tokens and chains. */
const names = {
  resolveToken: async (_: number, address: string) => {
    const token = chain.tokens.find((one) => one.address.toLowerCase() === address.toLowerCase())
    return token ? { name: token.symbol, symbol: token.symbol, decimals: token.decimals } : null
  },
  resolveChainInfo: async () => ({
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }),
}

/** The published client looks descriptors up here: in this service. Keys are in lower case. */
function resolver(contractsAsked: readonly Address[], types: Record<string, string> = {}) {
  const ofContracts = contractsAsked.map(
    (address) => [`eip155:31337:${address.toLowerCase()}`, address] as const,
  )
  const ofTypes = (address: Address) =>
    Object.fromEntries(
      Object.entries(types).map(([name, type]) => [
        name,
        [{ path: `eip712 ${address}`, encodeTypeHashes: [keccak256(toHex(type))] }],
      ]),
    )
  return {
    descriptorResolverOptions: {
      type: 'custom' as const,
      resolver: {
        index: {
          calldataIndex: Object.fromEntries(
            ofContracts.map(([key, address]) => [key, `calldata ${address}`]),
          ),
          typedDataIndex: Object.fromEntries(ofContracts.map(([key, address]) => [key, ofTypes(address)])),
        },
        fetchDescriptor: async (path: string) => {
          const [kind = '', address] = path.split(' ')
          return (await find(kind, address as Address)).descriptor
        },
      },
    },
    externalDataProvider: names,
  }
}

/** Shows a call with the published client: its intent, then `label: value` of every field. */
async function show(to: Address, data: Hex, value = 0n): Promise<unknown[]> {
  const shown = await format({ chainId: 31_337, to, data, value, from: SOMEBODY }, resolver([to]))
  expect(shown.rawCalldataFallback).toBeUndefined()
  return linesOf(shown)
}

function linesOf({ intent, fields = [] }: Awaited<ReturnType<typeof format>>): unknown[] {
  const flat = fields.flatMap((field) => ('fields' in field ? field.fields : [field]))
  return [intent, ...flat.map(({ label, value }) => `${label}: ${value}`)]
}

test('a published client formats the devnet’s calls from our answers', async () => {
  const [dollar] = chain.tokens as [(typeof chain.tokens)[number]]
  const erc20 = (functionName: 'transfer' | 'approve', amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName, args: [SOMEBODY, amount] })
  const unit = 10n ** BigInt(dollar.decimals)
  expect(await show(dollar.address, erc20('transfer', (unit * 3n) / 2n))).toEqual([
    'Send tokens',
    `Amount: 1.5 ${dollar.symbol}`,
    `To: ${SOMEBODY}`,
  ])
  expect(await show(dollar.address, erc20('approve', maxUint256))).toEqual([
    'Allow spending of tokens',
    `Spender: ${SOMEBODY}`,
    `Allowance: Unlimited ${dollar.symbol}`,
  ])
  const deposit = encodeFunctionData({ abi: depositAbi, functionName: 'deposit', args: [7n] })
  expect(await show(chain.entrypoint, deposit, parseEther('2'))).toEqual([
    'Deposit into a privacy pool',
    'Amount: 2 ETH',
  ])
  const ofToken = encodeFunctionData({
    abi: depositAbi,
    functionName: 'deposit',
    args: [dollar.address, unit, 7n],
  })
  expect(await show(chain.entrypoint, ofToken)).toEqual([
    'Deposit into a privacy pool',
    `Amount: 1 ${dollar.symbol}`,
  ])
  const wrap = encodeFunctionData({ abi: parseAbi(['function deposit() payable']) })
  expect(await show(chain.wrappedNative, wrap, parseEther('1'))).toEqual(['Wrap coins', 'Amount: 1 ETH'])
  const give = encodeFunctionData({
    abi: erc721Abi,
    functionName: 'transferFrom',
    args: [SOMEBODY, chain.collectible, 5n],
  })
  expect(await show(chain.collectible, give)).toEqual(
    expect.arrayContaining(['Send a collectible', expect.stringMatching(/^Collectible: .*5/)]),
  )
  const swap = encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactInput',
    args: [
      {
        path: concatHex([dollar.address, '0x000bb8', chain.wrappedNative]),
        recipient: SOMEBODY,
        amountIn: unit,
        amountOutMinimum: 1n,
      },
    ],
  })
  expect(await show(chain.uniswap.router, swap)).toEqual(
    expect.arrayContaining(['Swap an exact amount', `Amount: 1 ${dollar.symbol}`, `To: ${SOMEBODY}`]),
  )
})

test('a published client shows the effect of a devnet intent before it is signed', async () => {
  const [dollar] = chain.tokens as [(typeof chain.tokens)[number]]
  const { orchestrator } = chain.intents
  const { descriptor } = await find('eip712', orchestrator)
  const [type = ''] = Object.keys(descriptor.display?.formats ?? {})
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [SOMEBODY, 10n ** BigInt(dollar.decimals)],
  })
  const shown = await formatTypedData(
    {
      account: SOMEBODY,
      domain: { name: 'Orchestrator', version: '1', chainId: 31_337, verifyingContract: orchestrator },
      types: JSON.parse(JSON.stringify(INTENT_TYPES)) as Record<string, { name: string; type: string }[]>,
      primaryType: 'Intent',
      message: {
        multichain: false,
        eoa: SOMEBODY,
        calls: [{ to: dollar.address, value: '0', data }],
        nonce: '1',
        payer: zeroAddress,
        paymentToken: dollar.address,
        paymentMaxAmount: String(10n ** BigInt(dollar.decimals)),
        combinedGas: '100000',
        encodedPreCalls: [],
        encodedFundTransfers: [],
        settler: zeroAddress,
        expiry: '2000000000',
      },
    },
    resolver([orchestrator], { Intent: type }),
  )
  expect(linesOf(shown)).toEqual(
    expect.arrayContaining([
      'Send calls',
      `Call: ${data}`,
      expect.stringMatching(new RegExp(`^Contract: ${dollar.address}$`, 'i')),
      `Fee at most: 1 ${dollar.symbol}`,
      'Valid until: 2033-05-18 03:33:20Z',
    ]),
  )
})

const erc20Of = (address: Address) => ask('calldata', address, { selector: '0xa9059cbb' })

test('a token is one by its address in the catalogue alone: a look-alike with a listed symbol is 404', async () => {
  const [dollar] = chain.tokens as [(typeof chain.tokens)[number]]
  const { binding, source } = await find('calldata', dollar.address, { selector: '0xa9059cbb' })
  expect(binding).toEqual({
    kind: 'standard',
    standard: 'erc20',
    chainId: 31_337,
    address: dollar.address,
    evidence: { kind: 'token_catalog', onchainDecimals: dollar.decimals, catalogSources: ['configuration'] },
  })
  expect(source).toMatchObject({ status: 'local', path: 'ercs/calldata-erc20-tokens.json' })
  // The same code and storage, so the same name, symbol and decimals.
  await lay(UNLISTED, await node<string>('eth_getCode', dollar.address, 'latest'))
  for (const slot of ['0x3', '0x4'])
    await setSlot(
      UNLISTED,
      padHex(slot as Hex),
      await node<Hex>('eth_getStorageAt', dollar.address, slot, 'latest'),
    )
  expect(await node('eth_call', { to: UNLISTED, data: '0x95d89b41' }, 'latest')).toBe(
    await node('eth_call', { to: dollar.address, data: '0x95d89b41' }, 'latest'),
  )
  expect((await erc20Of(UNLISTED)).status).toBe(404)
  expect((await erc20Of(PERMIT)).json).toMatchObject({
    binding: { evidence: { onchainDecimals: 6, catalogSources: ['token-list'] } },
  })
  expect((await erc20Of(OTHER_DECIMALS)).status).toBe(404)
  expect((await erc20Of(zeroAddress)).status).toBe(404)
  expect((await erc20Of(SOMEBODY)).status).toBe(404)
  for (const liar of ['YesSayer', 'FalseCollectible']) {
    await lay(UNLISTED, liar)
    expect((await ask('calldata', UNLISTED)).status).toBe(404)
  }
  expect((await find('calldata', chain.collectible)).binding).toMatchObject({
    standard: 'erc721',
    evidence: { kind: 'erc165', onchainDecimals: null, catalogSources: [] },
  })
})

test('a permit is formatted only for a listed token under the domain that its contract has', async () => {
  const { binding, descriptor } = await find('eip712', PERMIT)
  expect(binding).toMatchObject({
    standard: 'erc2612',
    evidence: { kind: 'domain_separator', onchainDecimals: 6 },
  })
  expect(descriptor.context).toMatchObject({
    eip712: { deployments: [{ chainId: 31_337, address: PERMIT }] },
  })
  const domain = { name: 'Permit Token', version: '1', chainId: '0x7a69', verifyingContract: PERMIT }
  const words = ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256']
  const members = words.map((word) => word.split(':')).map(([name = '', type = '']) => ({ name, type }))
  const numbers = { value: maxUint256.toString(), nonce: '0', deadline: '2000000000' }
  const permit = (types: object) => ({
    from: SOMEBODY,
    typedData: {
      domain,
      types: { Permit: members, ...types },
      primaryType: 'Permit',
      message: { owner: SOMEBODY, spender: chain.entrypoint, ...numbers },
    } as unknown as Parameters<typeof showTypedData>[1]['typedData'],
  })
  const listed = {
    ...names,
    resolveToken: async () => ({ name: 'Permit Token', symbol: 'PMT', decimals: 6 }),
  }
  expect(await showTypedData(service.url, permit({}), listed)).toMatchObject({
    intent: 'Allow spending of tokens',
    lines: [`Spender: ${chain.entrypoint}`, 'Allowance: Unlimited PMT', 'Valid until: 2033-05-18 03:33:20Z'],
  })
  // Nothing binds this signature to the token.
  const unbound = permit({ EIP712Domain: [{ name: 'name', type: 'string' }] })
  expect(await showTypedData(service.url, unbound, names)).toBeNull()
  expect((await erc20Of(OTHER_NAME)).status).toBe(200)
  const [dollar] = chain.tokens as [(typeof chain.tokens)[number]]
  for (const token of [OTHER_NAME, OTHER_DECIMALS, dollar.address])
    expect((await ask('eip712', token)).status).toBe(404)
})

test('a proxy is described by its present implementation, except to its admin', async () => {
  const clone = concatHex(['0x363d3d373d3d3d363d73', chain.wrappedNative, '0x5af43d82803e903d91602b57fd5bf3'])
  await lay(PROXY, clone)
  expect((await find('calldata', PROXY)).binding).toEqual({
    kind: 'proxy',
    standard: null,
    chainId: 31_337,
    address: chain.wrappedNative,
    evidence: { kind: 'eip1167', onchainDecimals: null, catalogSources: [] },
  })
  await lay(PROXY, '0x6000')
  expect((await ask('calldata', PROXY)).status).toBe(404)
  await setSlot(PROXY, SLOT.implementation, chain.wrappedNative)
  await setSlot(PROXY, SLOT.admin, IMPLEMENTATION_ADMIN)
  expect((await find('calldata', PROXY, { caller: SOMEBODY })).binding).toMatchObject({
    address: chain.wrappedNative,
    evidence: { kind: 'eip1967' },
  })
  expect((await ask('calldata', PROXY, { caller: IMPLEMENTATION_ADMIN })).status).toBe(404)
  const wrap = {
    chainId: 31_337,
    from: SOMEBODY,
    to: PROXY,
    data: '0xd0e30db0',
    value: parseEther('1'),
  } as const
  expect(await showCall(service.url, wrap, names)).toEqual({
    intent: 'Wrap coins',
    lines: ['Amount: 1 ETH'],
    byItsOwnWord: true,
  })
  expect(await showCall(service.url, { ...wrap, data: '0xdeadbeef' }, names)).toBeNull()
  const before = (await ask('calldata', PROXY)).headers.get('etag') ?? ''
  await setSlot(PROXY, SLOT.implementation, chain.entrypoint)
  const upgraded = await ask('calldata', PROXY, {}, { 'if-none-match': before })
  expect(upgraded.status).toBe(200)
  expect(upgraded.json).toMatchObject({ binding: { address: chain.entrypoint } })
  expect((await ask('calldata', PROXY, { selector: '0xa9059cbb' })).status).toBe(404)
})

test('a query must be well formed, and selector and format must agree', async () => {
  const entrypoint = (more: Record<string, string>) => ask('calldata', chain.entrypoint, more)
  const formatKey = 'deposit( uint precommitment )'
  const hash = keccak256(toHex('deposit(uint256)'))
  for (const more of [{ formatKey }, { formatKey: hash }, { selector: hash.slice(0, 10), formatKey }])
    expect((await entrypoint(more)).status).toBe(200)
  expect((await entrypoint({ selector: '0xa9059cbb' })).status).toBe(404)
  expect((await entrypoint({ formatKey: `0x${'00'.repeat(32)}` })).status).toBe(404)
  expect((await ask('eip712', chain.entrypoint)).status).toBe(404)
  const refused: [Record<string, string>, RegExp][] = [
    [{ selector: '0xa9059cbb', formatKey }, /another function/],
    [{ formatKey: 'deposit(uint257)' }, /query.formatKey: expected a function/],
    [{ formatKey: `f(${'('.repeat(2_000)}` }, /query.formatKey/],
    [{ formatKey: 'x'.repeat(4_097) }, /query.formatKey/],
    [{ selector: '0xa9059c' }, /query.selector/],
    [{ caller: '0x1' }, /query.caller/],
    [{ chainId: '0' }, /query.chainId/],
  ]
  for (const [more, complaint] of refused) {
    const { status, json } = await entrypoint(more)
    expect([more, status]).toEqual([more, 400])
    expect(json?.['message']).toMatch(complaint)
  }
  expect((await ask('message', chain.entrypoint)).status).toBe(400)
  expect(
    (await ask('eip712', chain.intents.orchestrator, { selector: '0xa9059cbb' })).json?.['message'],
  ).toMatch(/only calls/)
  expect((await ask('calldata', chain.entrypoint, { chainId: '5' })).status).toBe(404)
})

test('any cache may store an answer, and a changed byte of a descriptor gives another hash', async () => {
  const first = await ask('calldata', chain.entrypoint)
  const { descriptor, source } = first.json as unknown as Answer
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(new RegExp(`^W/"${source.descriptorHash}-`))
  expect(first.headers.get('cache-control')).toBe('public, max-age=300')
  const again = await ask('calldata', chain.entrypoint, {}, { 'if-none-match': etag })
  expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([
    304,
    '',
    'public, max-age=300',
  ])
  const changed = JSON.stringify(descriptor).replace('Deposit', 'deposit')
  expect(keccak256(toHex(canonicalize(JSON.parse(changed)) ?? ''))).not.toBe(source.descriptorHash)
  expect((await ask('calldata', UNLISTED)).headers.get('cache-control')).toBe('no-store')
})

test('GraphQL answers the same, and 120 requests a minute are answered', async () => {
  const rest = (await ask('calldata', chain.entrypoint)).json as unknown as Answer
  const { data } = await graphql(
    service.url,
    `
      query ($chainId: SafeInt!, $address: Address!) {
        clearSigningDescriptor(chainId: $chainId, address: $address, kind: calldata) {
          kind
          descriptor
          source {
            descriptorHash
            status
            path
            url
          }
          binding {
            kind
            address
            evidence {
              kind
            }
          }
        }
      }
    `,
    { chainId: 31_337, address: chain.entrypoint },
  )
  expect(data?.['clearSigningDescriptor']).toMatchObject({
    kind: 'calldata',
    descriptor: rest.descriptor,
    source: { descriptorHash: rest.source.descriptorHash, status: 'local', url: null },
    binding: { kind: 'deployment', evidence: { kind: 'registry' } },
  })
  const statuses = await Promise.all(
    Array.from({ length: 121 }, async () => (await ask('calldata', chain.entrypoint)).status),
  )
  expect(statuses).toContain(429)
  expect(statuses).toContain(200)
})

test('formats of a new import have signatures, and REST alone answers a million characters', async () => {
  const root = await writeRegistry({
    'registry/x/calldata-x.json': {
      ...describing('pay(uint256 amount)'),
      context: { contract: { deployments: [{ chainId: 31_337, address: UNLISTED }] } },
      metadata: { constants: { long: 'x'.repeat(900_000) } },
    },
  })
  const { refusal } = await followCommand(
    ['clear-signing', 'import', root, '--commit', COMMIT],
    service.database.pool,
    {},
  )
  expect(refusal).toBeNull()
  const { services } = service
  const request = { kind: 'calldata', chainId: 31_337, address: UNLISTED } as const
  await expect.poll(() => services.clearSigning.lookup(request).catch(() => null)).not.toBeNull()
  const selector = toFunctionSelector('pay(uint256)')
  expect((await services.functionSignatures.lookup([selector])).get(selector)).toMatchObject([
    { signature: 'pay(uint256)', source: 'descriptor' },
  ])
  const { url } = await openGateway({}, { clearSigning: services.clearSigning })
  const rest = await call(
    `${url}/v1/clear-signing/descriptor?chainId=31337&kind=calldata&address=${UNLISTED}`,
  )
  expect([rest.status, rest.text.length > 900_000, rest.json?.['kind']]).toEqual([200, true, 'calldata'])
  const { errors } = await graphql(
    url,
    `{ clearSigningDescriptor(chainId: 31337, address: "${UNLISTED}", kind: calldata) { descriptor } }`,
  )
  expect(errors?.[0]?.message).toMatch(/ask by REST/)
})

test('a node that does not answer is 502 where it matters, and hears nothing of the caller', async () => {
  const logger = pino({ level: 'silent' })
  const door = await startDoor(chain.rpcUrl)
  const counter = await countRpc(door.url)
  onTestFinished(() => Promise.all([counter.close(), door.close()]).then(() => {}))
  const [config] = service.parts.chains
  if (!config) throw new Error('a service without chains')
  const opened = openChain({ ...config, rpcUrls: [counter.url] }, logger)
  onTestFinished(() => opened.stop())
  const active = await openActiveDescriptors({
    database: service.database.pool,
    databaseUrl: service.database.url,
    config: { pullRequests: false },
    logger,
  })
  onTestFinished(() => active.stop())
  const clearSigning = createClearSigning(
    active.current,
    new Map([[31_337, opened]]),
    service.services.tokens,
  )
  const { url, log } = await openGateway({}, { clearSigning })
  const asked = (address: Address) =>
    call(
      `${url}/v1/clear-signing/descriptor?chainId=31337&kind=calldata&address=${address}&caller=${SOMEBODY}`,
    )
  expect((await asked(PERMIT)).status).toBe(200)
  expect(counter.takeBodies().join().toLowerCase()).not.toContain(SOMEBODY.toLowerCase().slice(2))
  door.shut(['eth_getCode'])
  expect((await asked(PERMIT)).json).toMatchObject({ error: 'Bad Gateway', code: 'BINDING_UNAVAILABLE' })
  door.shut(['0x313ce567'])
  expect((await asked(PERMIT)).status).toBe(502)
  expect((await asked(chain.entrypoint)).status).toBe(200)
  door.open()
  expect((await asked(PERMIT)).status).toBe(200)
  expect(JSON.stringify(log).toLowerCase()).not.toMatch(
    new RegExp(`${SOMEBODY.slice(2)}|${PERMIT.slice(2)}`.toLowerCase()),
  )
})
