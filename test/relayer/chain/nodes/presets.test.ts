import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tokenList from '@uniswap/default-token-list' with { type: 'json' }
import { getAddress, isAddress } from 'viem'
import * as viemChains from 'viem/chains'
import { expect, test } from 'vitest'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { fillFromPreset, PRESETS, PRESET_NAMES } from '../../../../relayer/chain/nodes/presets.ts'

/** viem's names of the same chains. */
const VIEM = {
  ethereum: viemChains.mainnet,
  base: viemChains.base,
  optimism: viemChains.optimism,
  arbitrum: viemChains.arbitrum,
  polygon: viemChains.polygon,
  gnosis: viemChains.gnosis,
  bnb: viemChains.bsc,
} as const

/** Members that every chain has. */
const COMMON = [
  'chainId',
  'confirmations',
  'explorer',
  'name',
  'nativeSymbol',
  'pollIntervalMs',
  'relayer.multicall',
  'wrappedNative',
]
/** Members that only some have, all or none of each line. */
const OPTIONAL = [
  ['sanctionsOracle'],
  ['l1Fee'],
  ['startBlock', 'relayer.entrypoint'],
  ['relayer.minTip'],
  ['names.registry'],
  [
    'venues.uniswap.router',
    'venues.uniswap.quoter',
    'venues.uniswap.v3Factory',
    'venues.uniswap.v2Factory',
    'venues.uniswap.baseTokens',
  ],
  [
    'venues.across.spokePool',
    'venues.across.multicallHandler',
    'venues.across.feesUrl',
    'venues.across.tokens',
  ],
]

function listLeaves(value: object, path: readonly string[] = []): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const here = [...path, name]
      return typeof member === 'object' && member !== null && !Array.isArray(member)
        ? [...listLeaves(member, here)]
        : [[here.join('.'), member] as const]
    }),
  )
}

/** The deployments that the bridge's package lists. */
const across = JSON.parse(
  readFileSync(
    fileURLToPath(import.meta.resolve('@across-protocol/contracts/dist/broadcast/deployed-addresses.json')),
    'utf8',
  ),
) as { chains: Record<string, { contracts: Record<string, { address: string }> } | undefined> }

const isListed = (chainId: number, symbol: string, address: string) =>
  tokenList.tokens.some(
    (one) => one.chainId === chainId && one.symbol === symbol && getAddress(one.address) === address,
  )

test.each(PRESET_NAMES)(
  'the preset %s has the members of the others, checksummed, each with its source',
  (name) => {
    const { chain, sources } = PRESETS[name]
    const leaves = listLeaves(chain)
    const paths = [...leaves.keys()]
    expect(paths).toEqual(expect.arrayContaining(COMMON))
    const optional = OPTIONAL.filter((line) => line.some((path) => leaves.has(path))).flat()
    expect(paths.toSorted()).toEqual([...COMMON, ...optional].toSorted())

    const texts = [...JSON.stringify(chain).matchAll(/0x[0-9a-fA-F]{40}/g)].map(([text]) => text)
    expect(texts.filter((text) => !isAddress(text) || getAddress(text) !== text)).toEqual([])

    const named = Object.keys(sources)
    const isUnder = (path: string, source: string) => path === source || path.startsWith(`${source}.`)
    expect(paths.filter((path) => !named.some((source) => isUnder(path, source)))).toEqual([])
    expect(named.filter((source) => !paths.some((path) => isUnder(path, source)))).toEqual([])
  },
)

test.each(PRESET_NAMES)('the preset %s agrees with the packages that name the same facts', (name) => {
  const { chain } = PRESETS[name]
  const known = VIEM[name]
  expect(chain).toMatchObject({
    chainId: known.id,
    name: known.name,
    nativeSymbol: known.nativeCurrency.symbol,
    explorer: known.blockExplorers.default.url,
    relayer: { multicall: getAddress(known.contracts.multicall3.address) },
  })
  expect(chain.pollIntervalMs).toBeLessThanOrEqual(Math.max(500, known.blockTime ?? 0))
  expect('l1Fee' in chain).toBe('gasPriceOracle' in known.contracts)

  const filled = chainConfig.parse(
    fillFromPreset({ preset: name, rpcUrls: ['http://localhost'], venues: {} }),
  )
  expect(filled).toMatchObject({ chainId: known.id, wrappedNative: chain.wrappedNative })

  if (!('venues' in chain)) return
  const { uniswap, across: bridge } = chain.venues
  const { contracts } = across.chains[String(known.id)]!
  expect(bridge.spokePool).toBe(contracts['SpokePool']?.address)
  expect(bridge.multicallHandler).toBe(contracts['MulticallHandler']?.address)
  for (const token of uniswap.baseTokens) expect(isListed(known.id, 'USDC', token)).toBe(true)
  for (const { asset, token } of bridge.tokens) expect(isListed(known.id, asset, token)).toBe(true)
})

test('a preset fills parts that the configuration writes, and changes nothing that it says', () => {
  const plain = { preset: 'base', rpcUrls: ['http://localhost'] }
  const least = chainConfig.parse(fillFromPreset(plain))
  expect(least).toMatchObject({ chainId: 8453, name: 'Base', l1Fee: 'op-stack' })
  expect([least.relayer, least.names, least.venues]).toEqual([undefined, undefined, {}])
  const more = chainConfig.parse(
    fillFromPreset({ ...plain, name: 'Mine', confirmations: 0, venues: { uniswap: { feeTiers: [500] } } }),
  )
  expect(more).toMatchObject({ name: 'Mine', confirmations: 0 })
  expect(more.venues).toEqual({
    uniswap: { ...PRESETS.base.chain.venues.uniswap, feeTiers: [500], timeoutMs: 3_000 },
  })
  expect(() => chainConfig.parse(fillFromPreset({ ...plain, chainId: 1 }))).toThrow(
    'is not the chain of `preset`',
  )
  expect(() => chainConfig.parse(fillFromPreset({ ...plain, preset: 'bas' }))).toThrow('preset')
})
