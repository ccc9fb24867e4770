import { expect, it } from 'vitest'
import {
  grossOf,
  leastNetOf,
  noteValueOf,
  vettingFeeOf,
} from '../../../../../relayer/transact/kinds/pool-deposit/deposit-amounts.ts'
import { createDice } from '../../quotes/random-wallet.ts'

const ROUNDS = 100_000
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

it('a note is worth the asked amount, and no smaller deposit would do, whatever the vetting fee', () => {
  const dice = createDice(11)
  for (let round = 0; round < ROUNDS; round += 1) {
    const net = 1n + dice(10n ** (1n + dice(38n)))
    const bps = dice(10_000n)
    const gross = grossOf(net, bps)
    if (noteValueOf(gross, bps) !== net || noteValueOf(gross - 1n, bps) >= net)
      throw new Error(`${net} at ${bps}: ${gross}`)
    if (vettingFeeOf(gross, bps) !== gross - net) throw new Error(`the fee of ${gross} at ${bps}`)
  }
})

it('notes of several addresses are worth the asked amount, and at most a unit more for each', () => {
  const dice = createDice(12)
  for (let round = 0; round < ROUNDS; round += 1) {
    const net = 1_000n + dice(10n ** (4n + dice(30n)))
    const bps = dice(1_000n)
    const gross = grossOf(net, bps)
    const cuts = Array.from({ length: 1 + Number(dice(15n)) }, () => dice(gross)).toSorted((a, b) =>
      a < b ? -1 : 1,
    )
    const shares = [...cuts, gross].map((cut, index) => cut - (cuts[index - 1] ?? 0n))
    const excess = sum(shares.map((share) => noteValueOf(share, bps))) - net
    if (excess < 0n || excess > BigInt(shares.length)) throw new Error(`${net} at ${bps}: ${excess} more`)
  }
})

it('the least that a client may ask for makes a deposit of the minimum or hardly more', () => {
  const dice = createDice(13)
  for (let round = 0; round < ROUNDS; round += 1) {
    const minimum = 1n + dice(10n ** (1n + dice(24n)))
    const bps = dice(9_000n)
    const least = leastNetOf(minimum, bps)
    if (grossOf(least, bps) < minimum) throw new Error(`${least} is too little for ${minimum} at ${bps}`)
    if (least > 1n && grossOf(least - 1n, bps) >= minimum)
      throw new Error(`${least} is not the least at ${bps}`)
  }
  expect(leastNetOf(1_000n, 50n)).toBe(996n)
})
