import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeRelayFeeBps } from '../../../../relayer/pool/relay/relay-fee.ts'
import { planTopUp } from '../../../../relayer/pool/relay/prepare-relay.ts'

const price = (tokenPerNative: bigint) => ({
  toWei: (amount: bigint) => (amount * 10n ** 18n) / tokenPerNative,
  fromWei: (wei: bigint) => (wei * tokenPerNative) / 10n ** 18n,
})

test('a top-up never costs more than its part of the fee, and is complete when gas costs the quoted price', () => {
  fc.assert(
    fc.property(
      fc.bigInt(10n ** 8n, 10n ** 15n),
      fc.bigInt(10n ** 8n, 10n ** 11n),
      fc.bigInt(10n ** 8n, 10n ** 12n),
      fc.bigInt(10n ** 9n, 10n ** 11n),
      (withdrawn, quotedGasPrice, gasPrice, tokenPerNative) => {
        const rate = price(tokenPerNative)
        const gas = { relayGas: 550_000n, topUpGas: 60_000n, fundGas: 200_000n }
        const baseFeeBps = 10n
        const relayFeeBps = computeRelayFeeBps({
          baseFeeBps,
          gasPrice: quotedGasPrice,
          gas: Object.values(gas),
          amountInWei: rate.toWei(withdrawn),
        })
        fc.pre(relayFeeBps !== null && relayFeeBps < 10_000n)
        const value = planTopUp({
          ...gas,
          gasPrice,
          withdrawn,
          relayFeeBps: relayFeeBps ?? 0n,
          baseFeeBps,
          price: rate,
        })
        const broughtIn = rate.toWei((withdrawn * ((relayFeeBps ?? 0n) - baseFeeBps)) / 10_000n)
        expect(value).toBeGreaterThanOrEqual(0n)
        expect(value).toBeLessThanOrEqual(gas.fundGas * gasPrice)
        if (value > 0n)
          expect(value + (gas.relayGas + gas.topUpGas) * gasPrice).toBeLessThanOrEqual(broughtIn)
      },
    ),
  )
})

test('no top-up is left when gas costs more than the fee covers', () => {
  const input = {
    relayGas: 500_000n,
    topUpGas: 60_000n,
    fundGas: 200_000n,
    withdrawn: 10n ** 18n,
    baseFeeBps: 10n,
  }
  const rate = price(10n ** 18n)
  expect(planTopUp({ ...input, gasPrice: 10n ** 9n, relayFeeBps: 30n, price: rate })).toBe(
    200_000n * 10n ** 9n,
  )
  expect(planTopUp({ ...input, gasPrice: 10n ** 10n, relayFeeBps: 30n, price: rate })).toBe(0n)
})
