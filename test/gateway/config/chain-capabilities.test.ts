import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../../../gateway/config/config-error.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { CAPABILITIES, listCapabilities } from '../../../relayer/chain/nodes/capabilities.ts'

const folder = mkdtempSync(join(tmpdir(), 'capabilities-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const KEY = `0x${'11'.repeat(32)}`
const ADDRESS = '0x6818809EefCe719E480a7526D76bD3e561526b46'
const receiving = { chainId: 1, name: 'Somewhere', rpcUrls: ['https://rpc.example'] }
const asset = {
  asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  symbol: 'ETH',
  decimals: 18,
  minWithdrawAmount: '1',
}
const relayer = {
  entrypoint: ADDRESS,
  maxGasPrice: '60000000000',
  assets: [asset],
  signerKeys: [KEY],
  feeReceiverKey: KEY,
}
const uniswap = { router: ADDRESS, quoter: ADDRESS, v3Factory: ADDRESS }
const across = {
  spokePool: ADDRESS,
  feesUrl: 'https://fees.example',
  tokens: [{ asset: 'USDC', token: ADDRESS }],
}
const peer = {
  escrow: ADDRESS,
  orchestrator: ADDRESS,
  curatorUrl: 'https://curator.example',
  gatingService: ADDRESS,
  tokens: [ADDRESS],
  methods: [{ name: 'venmo', currencies: ['USD'] }],
  rates: [{ currency: 'USD', adapter: ADDRESS, adapterConfig: '0x' }],
  minIntentAmount: '1',
}
const sending = { orchestrator: ADDRESS, accountProxy: ADDRESS, accountImplementation: ADDRESS }

function load(chain: object) {
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify({ chains: [chain] }))
  const warnings: string[] = []
  const [read] = loadConfig({ CONFIG: file }, (message) => void warnings.push(message)).chains
  return { chain: read!, warnings }
}

function complaint(chain: object): string {
  try {
    load(chain)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('the configuration was accepted')
}

test('the capabilities of a chain follow from its settings', () => {
  const { chain, warnings } = load(receiving)
  expect(listCapabilities(chain)).toEqual(['receive'])
  expect(warnings).toEqual([])
  expect(listCapabilities(load({ ...receiving, relayer }).chain)).toEqual(['receive', 'relay'])
  const { entrypoint: _entrypoint, assets: _assets, ...signers } = relayer
  for (const poolless of [signers, { ...signers, entrypoint: ADDRESS }])
    expect(listCapabilities(load({ ...receiving, relayer: poolless, sending }).chain)).toEqual([
      'receive',
      'send',
    ])
  expect(listCapabilities(load({ ...receiving, names: { registry: ADDRESS } }).chain)).toEqual([
    'receive',
    'names',
  ])
  const wrappedNative = ADDRESS
  expect(listCapabilities(load({ ...receiving, wrappedNative, venues: { across } }).chain)).toEqual([
    'receive',
  ])
  const sends = ['receive', 'relay', 'send', 'pool_deposit']
  expect(listCapabilities(load({ ...receiving, relayer, sending }).chain)).toEqual(sends)
  for (const [venue, capability] of [
    [{ wrappedNative }, 'swap'],
    [{ venues: { uniswap } }, 'swap'],
    [{ venues: { across } }, 'bridge'],
    [{ venues: { peer } }, 'cash_out'],
  ] as const)
    expect(listCapabilities(load({ ...receiving, relayer, sending, ...venue }).chain)).toEqual([
      ...sends,
      capability,
    ])
  const venues = { uniswap, across, peer }
  const full = load({ ...receiving, relayer, sending, names: { registry: ADDRESS }, venues })
  expect(listCapabilities(full.chain)).toEqual(CAPABILITIES)
})

test.each([
  [
    'sending without an orchestrator',
    { relayer, sending: { ...sending, orchestrator: undefined } },
    ['chains[0].sending.orchestrator is missing'],
  ],
  [
    'sending without its contracts',
    { relayer, sending: {} },
    [
      'chains[0].sending.orchestrator is missing',
      'chains[0].sending.accountProxy is missing',
      'chains[0].sending.accountImplementation is missing',
    ],
  ],
  ['sending without signers', { sending }, ['chains[0].sending is ', 'needs `relayer` beside it']],
  [
    'a relayer without signer keys',
    { relayer: { ...relayer, signerKeys: undefined } },
    ['chains[0].relayer.signerKeys is missing'],
  ],
  [
    'a relayer with an empty list of signer keys',
    { relayer: { ...relayer, signerKeys: [] } },
    ['chains[0].relayer.signerKeys is []'],
  ],
  [
    'a key that sends relays and sends',
    { relayer: { ...relayer, relaySignerKeys: [`0x${'77'.repeat(32)}`, KEY] } },
    ['chains[0].relayer.relaySignerKeys is ', 'has a key of `signerKeys`'],
  ],
  [
    'a relayer without an Entrypoint',
    { relayer: { ...relayer, entrypoint: undefined } },
    ['chains[0].relayer.entrypoint is missing', 'is needed for `assets`'],
  ],
  [
    'a relayer whose token has no price',
    { relayer: { ...relayer, assets: [{ ...asset, asset: ADDRESS }] } },
    ['chains[0].relayer.assets is ', 'ERC-20 without a price'],
  ],
  ...[
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000009',
    ADDRESS,
  ].map((feeReceiver): [string, object, string[]] => [
    `fees paid to ${feeReceiver}`,
    { relayer: { ...relayer, feeReceiver } },
    ['chains[0].relayer.feeReceiver is ', 'no fee comes back'],
  ]),
  ['names without a registry', { names: {} }, ['chains[0].names.registry is missing']],
  [
    'a member of the relayer in both places',
    { relayer, entrypoint: ADDRESS },
    ['chains[0].entrypoint: no such setting'],
  ],
  [
    'sending under both names',
    { relayer, sending, intents: sending },
    ['chains[0].intents: no such setting'],
  ],
])('a chain with %s is refused by what is wrong', (_, change, parts) => {
  const message = complaint({ ...receiving, ...change })
  for (const part of parts) expect(message).toContain(part)
  expect(message).not.toContain('1111')
})

test('a file in the earlier form gives the same chain, and a warning gives the new form', () => {
  const former = { ...receiving, ...relayer, asp: { name: 'ASP' }, multicall: ADDRESS, intents: sending }
  const { chain, warnings } = load(former)
  const today = { ...receiving, relayer: { ...relayer, asp: { name: 'ASP' }, multicall: ADDRESS }, sending }
  expect(chain).toEqual(load(today).chain)
  expect(warnings).toEqual([
    'chains[0] is in an earlier form, which is still read: write entrypoint, assets, asp, signerKeys, feeReceiverKey, ' +
      'maxGasPrice, multicall in chains[0].relayer; rename chains[0].intents to sending.',
  ])
  // The error names the place in the configuration.
  expect(complaint({ ...former, maxGasPrice: '1.5' })).toContain('chains[0].relayer.maxGasPrice is "1.5"')
})
