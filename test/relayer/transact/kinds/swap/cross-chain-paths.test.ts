import { zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import { listCrossChainPaths } from '../../../../../relayer/transact/kinds/swap/cross-chain-paths.ts'
import { createAcrossVenue } from '../../../../../relayer/transact/venues/bridge/across/across-venue.ts'
import type { FoundBridge } from '../../../../../relayer/transact/venues/bridge/bridge-venues.ts'

const at = (place: number): Address => `0x${'1'.repeat(38)}${String(place).padStart(2, '0')}`
const [wethA, usdA, eurA, wethB, usdB, eurB, handler] = [1, 2, 3, 4, 5, 6, 7].map(at) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]

const bridgesWith = (multicallHandler: Address | null): FoundBridge[] =>
  [
    { inputToken: wethA, outputToken: wethB },
    { inputToken: usdA, outputToken: usdB },
  ].map((tokens) => ({
    venue: createAcrossVenue(),
    route: {
      provider: 'across',
      origin: { config: { wrappedNative: wethA } },
      destination: { config: { wrappedNative: wethB } },
      spender: at(8),
      handler: multicallHandler,
      ...tokens,
    } as unknown as FoundBridge['route'],
  }))

const list = (tokenIn: Address, tokenOut: Address, { isContract = false, without = false } = {}) =>
  listCrossChainPaths(bridgesWith(without ? null : handler), { tokenIn, tokenOut, isContract }).map((group) =>
    group.map(({ bridge, swapsBefore, swapsAfter, usesHandler }) =>
      [
        bridge.route.inputToken === wethA ? 'ETH' : 'USD',
        swapsBefore && 'before',
        swapsAfter && 'after',
        usesHandler && 'handler',
      ]
        .filter(Boolean)
        .join(' '),
    ),
  )

it('a token that the bridge carries needs no exchange, and ways with fewer exchanges come first', () => {
  expect(list(usdA, usdB)).toEqual([['USD'], ['ETH before after handler']])
  expect(list(zeroAddress, zeroAddress)).toEqual([['ETH'], ['USD before after handler']])
  expect(list(eurA, usdB)).toEqual([['USD before'], ['ETH before after handler']])
  expect(list(usdA, eurB)).toEqual([['USD after handler'], ['ETH before after handler']])
  expect(list(zeroAddress, usdB)).toEqual([['USD before'], ['ETH after handler']])
  expect(list(eurA, eurB)).toEqual([['ETH before after handler', 'USD before after handler']])
})

it('wrapped coins go through the handler, and so do coins for a contract, which would get wrapped ones', () => {
  expect(list(zeroAddress, wethB)[0]).toEqual(['ETH handler'])
  expect(list(wethA, zeroAddress, { isContract: true })).toEqual(
    [['USD before after handler'], ['ETH after handler']].toReversed(),
  )
})

it('without a handler only paths that need none remain', () => {
  expect(list(usdA, usdB, { without: true })).toEqual([['USD']])
  expect(list(usdA, eurB, { without: true })).toEqual([])
  expect(list(zeroAddress, wethB, { without: true })).toEqual([])
})
