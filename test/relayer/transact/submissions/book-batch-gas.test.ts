import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareByWeight } from '../../../../relayer/transact/submissions/settle-batch.ts'

const wei = fc.bigInt({ min: 0n, max: 2n ** 96n })

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
