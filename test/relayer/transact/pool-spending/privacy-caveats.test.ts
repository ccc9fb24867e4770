import { expect, it } from 'vitest'
import {
  listPrivacyCaveats,
  type ShownSpend,
} from '../../../../relayer/transact/pool-spending/privacy-caveats.ts'

const HOURS = 3_600_000
const DEPOSITED = 100n

/** A spend of 40 of 100 that nothing speaks against: made long ago, followed by ten, among twenty. */
function spendOf(
  {
    withdraws = 40n,
    withdrawalIndex = 0,
    value = DEPOSITED,
    notes = 1,
  }: { withdraws?: bigint; withdrawalIndex?: number; value?: bigint; notes?: number },
  changes: Partial<ShownSpend> = {},
) {
  const labels = Array.from({ length: notes }, (_, place) => BigInt(place))
  const base: ShownSpend = {
    parts: labels.map((label) => ({
      note: { id: String(label), label, withdrawalIndex, value, depositIndex: 0 },
      withdraws,
      receives: withdraws,
      feeBps: 0n,
    })),
    ages: labels.map((label) => ({ label, value: DEPOSITED, depositedAt: new Date(0), later: 10 })),
    crowd: 20,
    least: 10n,
    now: 2 * HOURS,
  }
  return listPrivacyCaveats({ ...base, ...changes })
}
const aged = (depositedAt: Date, later: number) => [{ label: 0n, value: DEPOSITED, depositedAt, later }]

it('a spend is warned of exactly the traits that make its owner easier to guess', () => {
  expect(spendOf({})).toEqual([])
  expect(spendOf({ withdraws: DEPOSITED })).toEqual(['equal_amount'])
  expect(spendOf({ notes: 2 })).toEqual(['several_notes'])
  expect(spendOf({}, { crowd: 19 })).toEqual(['small_crowd'])
  expect(spendOf({}, { now: 2 * HOURS - 1 })).toEqual(['soon'])
  expect(spendOf({}, { ages: aged(new Date(0), 9) })).toEqual(['soon'])
})

it("a warning comes with a note's remainder that no relay would take, or that one published wallet would not find", () => {
  expect(spendOf({ withdraws: 90n })).toEqual([])
  expect(spendOf({ withdraws: 91n })).toEqual(['strands_change'])
  expect(spendOf({ withdrawalIndex: 8 })).toEqual([])
  expect(spendOf({ withdrawalIndex: 9 })).toEqual(['deep_chain'])
  // A change that is spent whole leaves nothing, and is no deposit's amount.
  expect(spendOf({ withdrawalIndex: 9, value: 50n, withdraws: 50n })).toEqual([])
})
