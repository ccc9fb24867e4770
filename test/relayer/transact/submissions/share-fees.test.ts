import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { encodeCalls } from '../../../../relayer/transact/intents/encode-calls.ts'
import { shareByWeight } from '../../../../relayer/transact/submissions/book-batch-gas.ts'
import { shareFees } from '../../../../relayer/transact/submissions/share-fees.ts'

const wei = fc.bigInt({ min: 0n, max: 2n ** 96n })
const token = '0x00000000000000000000000000000000000000AA'
const somebody = '0x00000000000000000000000000000000000000bb'

test('the shares of a batch’s gas add up to the receipt’s fee, to the wei, and none is off by more than rounding', () => {
  fc.assert(
    fc.property(wei, fc.array(wei, { minLength: 1, maxLength: 50 }), (fee, weights) => {
      const shares = shareByWeight(fee, weights)
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(fee)
      const whole = weights.reduce((sum, weight) => sum + weight, 0n)
      if (whole === 0n) return
      for (const [place, share] of shares.entries()) {
        const exact = (fee * weights[place]!) / whole
        expect(share === exact || share === exact + 1n).toBe(true)
      }
    }),
  )
})

test('what the intents of a quote pay adds up to its fees, whichever of them are executed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(wei, wei), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (parts, isNative) => {
        const networkFee = parts.reduce((sum, [network]) => sum + network, 0n)
        const serviceFee = parts.reduce((sum, [, service]) => sum + service, 0n)
        const pay = (amount: bigint) =>
          isNative
            ? ({ to: somebody, value: amount, data: '0x' } as const)
            : ({
                to: token,
                value: 0n,
                data: encodeFunctionData({
                  abi: erc20Abi,
                  functionName: 'transfer',
                  args: [somebody, amount],
                }),
              } as const)
        const intents = parts.map(([network, service]) => ({
          executionData: encodeCalls([pay(5n), pay(network + service)]),
        }))
        const fees = shareFees({ token: isNative ? zeroAddress : token, networkFee }, intents)
        expect(fees.reduce((sum, fee) => sum + fee.networkFee, 0n)).toBe(networkFee)
        expect(fees.reduce((sum, fee) => sum + fee.serviceFee, 0n)).toBe(serviceFee)
        for (const [place, fee] of fees.entries())
          expect(fee.networkFee + fee.serviceFee).toBe(parts[place]![0] + parts[place]![1])
      },
    ),
  )
})
