import { zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import { NO_EXTRA_FEES } from '../../../../relayer/chain/nodes/sending-price.ts'
import { kindOf } from '../../../../relayer/transact/kinds/quote-kinds.ts'
import { FeePrices } from '../../../../relayer/transact/fees/fee-prices.ts'
import { keyOf } from '../../../../relayer/market/tokens/token-id.ts'

const WRAPPED: Address = '0x00000000000000000000000000000000000000B1'
const ELSEWHERE: Address = '0x00000000000000000000000000000000000000c1'
const NETWORK_FEE = 1_000n
const priceOf = (usd: bigint) => ({ usd, observedAt: new Date(), stale: false })

/** A submission of a quote with that fee in the wrapped coin, priced at this percentage of the native one. */
const submit = (gasUsed: bigint, percent: bigint, isNativeAtPar: boolean) =>
  new FeePrices({
    prices: {
      read: async () =>
        new Map([
          [keyOf({ chainId: 1, address: WRAPPED }), priceOf(percent)],
          [keyOf({ chainId: 1, address: zeroAddress }), priceOf(100n)],
        ]),
    },
    tokens: { isListed: () => true },
    depths: { isDeep: async () => false },
    sendingPriceOf: () => ({ gasPrice: 1n, extra: NO_EXTRA_FEES }),
    config: { feePriceMaxAgeMs: 60_000, gasMarginPercent: 0 },
  }).demandAffordable(
    {
      chainId: 1,
      token: WRAPPED,
      tokenDecimals: 18,
      networkFee: NETWORK_FEE,
      feeListed: true,
    },
    { sizes: [{ gas: gasUsed, bytes: 1 }], isNativeAtPar },
  )

it("a fee that was reckoned at par is held against the gas at par, whatever the token's market price", async () => {
  const refusal = { code: 'QUOTE_REFRESH_REQUIRED' }
  await expect(submit(NETWORK_FEE, 50n, false)).rejects.toMatchObject(refusal)
  await submit(NETWORK_FEE, 50n, true)
  await submit(NETWORK_FEE * 2n, 200n, false)
  await expect(submit(NETWORK_FEE * 2n, 200n, true)).rejects.toMatchObject(refusal)
})

it('wrapping and unwrapping are at par, a payment of the wrapped coin is not', () => {
  const isAtPar = (kind: string, token: Address, output: Address | null) =>
    kindOf(kind).isNativeAtPar?.(
      { wrappedNative: WRAPPED },
      {
        token,
        output: output && { token: output, expected: 1n, minimum: 1n },
        details: {},
      },
    ) ?? false
  expect(isAtPar('swap', WRAPPED, zeroAddress)).toBe(true)
  expect(isAtPar('swap', zeroAddress, WRAPPED)).toBe(true)
  expect(isAtPar('swap', WRAPPED, ELSEWHERE)).toBe(false)
  expect(isAtPar('send', WRAPPED, null)).toBe(false)
})
