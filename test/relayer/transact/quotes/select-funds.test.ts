import { describe, expect, it } from 'vitest'
import { largestAmountWithin, serviceFeeOf } from '../../../../relayer/transact/fees/service-fee.ts'
import {
  netOf,
  sumNet,
  type Candidate,
  selectFunds,
  type Selection,
  findMostFundable,
  sharePayment,
} from '../../../../relayer/transact/quotes/select-funds.ts'
import { createDice, rollWallet } from './random-wallet.ts'

const WALLETS = 3_000
const rules = { maxInputs: 8, mixGroups: false }
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** Invariants of every choice. */
function demandSound(
  wallet: readonly Candidate[],
  need: bigint,
  selection: Selection,
  maxInputs: number,
): void {
  const { inputs, dust } = selection
  const known = new Set(wallet.map(({ address }) => address))
  if (new Set(inputs.map(({ address }) => address)).size !== inputs.length)
    throw new Error('one address twice')
  if (!inputs.every(({ address }) => known.has(address))) throw new Error('an address of somebody else')
  if (inputs.length > maxInputs) throw new Error('too many addresses')
  if (!inputs.every(({ taken, free, cost }) => taken <= free && taken > cost))
    throw new Error('too much, or nothing')
  if (sum(inputs.map(({ taken, cost }) => taken - cost)) !== need) throw new Error('not what was needed')
  if (new Set(inputs.map(({ group }) => group)).size > 1) throw new Error('groups were mixed')
  const left = sum(inputs.map(({ free, taken }) => free - taken))
  if (inputs.filter(({ free, taken }) => taken < free).length > 1) throw new Error('change at two addresses')
  if (dust !== 0n && dust !== left) throw new Error('dust that is not what is left')
  if (inputs.length === 1) return
  if (wallet.some((candidate) => netOf(candidate) >= need)) throw new Error('joined although one suffices')
  const group = wallet.filter((candidate) => candidate.group === inputs[0]!.group && netOf(candidate) > 0n)
  const fewer = group.toSorted((a, b) => (netOf(a) > netOf(b) ? -1 : 1)).slice(0, inputs.length - 1)
  if (sumNet(fewer) >= need) throw new Error('fewer addresses suffice')
}

describe('choosing funds', () => {
  it(`joins no addresses in ${WALLETS} random wallets when one suffices, and never more than needed`, () => {
    const dice = createDice(1)
    let joined = 0
    let single = 0
    let impossible = 0
    for (let round = 0; round < WALLETS; round += 1) {
      const wallet = rollWallet(dice, round % 2 ? ['a', 'b', null] : [null])
      const most = findMostFundable(wallet, rules)
      const need = 1n + dice((most.net * 5n) / 4n + 2n)
      const selection = selectFunds(wallet, need, rules)
      if (!selection) {
        impossible += 1
        expect(most.net).toBeLessThan(need)
        continue
      }
      expect(need).toBeLessThanOrEqual(most.net)
      demandSound(wallet, need, selection, rules.maxInputs)
      if (selection.inputs.length > 1) joined += 1
      else single += 1
    }
    // Each case must occur often among the wallets.
    expect(Math.min(joined, single, impossible)).toBeGreaterThan(WALLETS / 20)
  })

  it('can fund the maximum and not a unit more, with service fees of every kind', () => {
    const dice = createDice(2)
    for (let round = 0; round < WALLETS; round += 1) {
      const wallet = rollWallet(dice)
      const terms = {
        serviceFeeBps: Number(dice(1_000n)),
        discountBps: Number(dice(10_001n)),
        waived: dice(4n) === 0n,
      }
      const amount = largestAmountWithin(findMostFundable(wallet, rules).net, terms)
      const fund = (wanted: bigint) => selectFunds(wallet, wanted + serviceFeeOf(wanted, terms), rules)
      if (amount > 0n) {
        const selection = fund(amount)
        if (!selection) throw new Error(`${amount} cannot be sent`)
        const fee = serviceFeeOf(amount, terms)
        demandSound(wallet, amount + fee, selection, rules.maxInputs)
        const shares = sharePayment(selection.inputs, fee)
        expect(sum(shares.map(({ toRecipient }) => toRecipient))).toBe(amount)
        expect(sum(shares.map(({ input, toService }) => toService - input.cost))).toBe(fee)
        for (const { input, toRecipient, toService } of shares) {
          expect(toRecipient + toService).toBe(input.taken)
          expect(toService).toBeGreaterThanOrEqual(input.cost)
          expect(toRecipient).toBeGreaterThanOrEqual(0n)
        }
      }
      expect(fund(amount + 1n)).toBeNull()
    }
  })

  it('gives the same choice for a wallet in any order of its addresses', () => {
    const dice = createDice(3)
    for (let round = 0; round < 500; round += 1) {
      const wallet = rollWallet(dice)
      const need = 1n + dice(findMostFundable(wallet, rules).net + 1n)
      const chosen = (candidates: readonly Candidate[]) =>
        selectFunds(candidates, need, rules)?.inputs.map(({ address, taken }) => [address, taken])
      expect(chosen(wallet.toReversed())).toEqual(chosen(wallet))
    }
  })
})

const wallet = (...amounts: readonly (bigint | [bigint, string])[]): Candidate[] =>
  amounts.map((one, derivationNonce) => {
    const [free, group] = typeof one === 'bigint' ? [one, null] : one
    const address = `0x${String(derivationNonce + 1).padStart(40, '0')}` as const
    return { address, derivationNonce, free, cost: 10n, group }
  })
const spent = (selection: Selection | null) =>
  selection?.inputs.map(({ derivationNonce, taken }) => [derivationNonce, taken])

describe('a choice', () => {
  it('is the smallest address that suffices', () => {
    expect(spent(selectFunds(wallet(1_000n, 200n, 500n), 150n, rules))).toEqual([[1, 160n]])
  })

  it('avoids dust when another address leaves none', () => {
    expect(selectFunds(wallet(1_000n, 165n), 150n, rules)).toMatchObject({
      inputs: [{ derivationNonce: 0, taken: 160n }],
      dust: 0n,
    })
    expect(selectFunds(wallet(165n), 150n, rules)).toMatchObject({ inputs: [{ taken: 160n }], dust: 5n })
    expect(selectFunds(wallet(160n, 1_000n), 150n, rules)).toMatchObject({
      inputs: [{ taken: 160n }],
      dust: 0n,
    })
  })

  it('joins the largest, with the smallest sufficient one as the last', () => {
    expect(spent(selectFunds(wallet(100n, 300n, 40n, 200n), 320n, rules))).toEqual([
      [1, 300n],
      [2, 40n],
    ])
  })

  it('never mixes funds of different origin, unless asked', () => {
    const mixed = wallet([100n, 'a'], [100n, 'b'], [60n, 'a'])
    expect(spent(selectFunds(mixed, 130n, rules))).toEqual([
      [0, 100n],
      [2, 50n],
    ])
    expect(selectFunds(mixed, 170n, rules)).toBeNull()
    expect(spent(selectFunds(mixed, 170n, { ...rules, mixGroups: true }))).toEqual([
      [0, 100n],
      [1, 90n],
    ])
  })

  it('skips addresses that cost more than they hold, and respects the maximum of addresses', () => {
    expect(selectFunds(wallet(10n, 9n, 10n), 1n, rules)).toBeNull()
    const three = wallet(100n, 100n, 100n)
    expect(selectFunds(three, 200n, { ...rules, maxInputs: 2 })).toBeNull()
    expect(findMostFundable(three, { ...rules, maxInputs: 2 })).toMatchObject({ net: 180n, gross: 200n })
  })
})
