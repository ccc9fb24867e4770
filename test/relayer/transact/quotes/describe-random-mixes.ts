import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainHolding } from '../../../../relayer/account/provenance/explain-origin.ts'
import {
  netOf,
  type Candidate,
  selectFunds,
  findMostOfGroup,
  selectOfGroup,
} from '../../../../relayer/transact/quotes/select-funds.ts'
import {
  addressOf,
  isOwn,
  move,
  relay,
  T,
  traceMovements,
  transaction,
} from '../../account/provenance/histories.ts'

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F']
const own = NAMES.map(addressOf)
/** Payments of strangers and pools to a wallet, and its own moves. */
const anyWallet = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          from: fc.constant('x'),
          to: fc.constantFrom(...NAMES),
          amount: fc.integer({ min: 1, max: 50 }),
          isRelay: fc.constant(false),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          from: fc.constant('entrypoint'),
          to: fc.constantFrom(...NAMES),
          amount: fc.constant(5),
          isRelay: fc.constant(true),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          from: fc.constantFrom(...NAMES),
          to: fc.constantFrom(...NAMES),
          amount: fc.integer({ min: 1, max: 30 }),
          isRelay: fc.constant(false),
        }),
      },
    ),
    { maxLength: 14 },
  )
  .map((steps) =>
    steps.map(({ from, to, amount, isRelay }, id) =>
      transaction(id, [move(from, to, amount)], isRelay ? relay : {}),
    ),
  )

/** Properties that hold for every history of receipts, each checked on the given number of random wallets. */
export const describeRandomMixes = (runs: number) =>
  describe('any wallet', () => {
    it('joins no private address with another, unless the user names exactly those that pay', () => {
      fc.assert(
        fc.property(
          anyWallet,
          fc.integer({ min: 1, max: 120 }),
          fc.integer({ min: 0, max: 3 }),
          fc.subarray(own),
          (history, need, cost, accepted) => {
            const trace = traceMovements(history, isOwn)
            const candidates = own.map((address, derivationNonce): Candidate => {
              const held = trace.lots(1, address, T).reduce((sum, { amount }) => sum + amount, 0n)
              const { mixGroup } = explainHolding(trace, { chainId: 1, address, token: T, held })
              return { address, derivationNonce, free: held, cost: BigInt(cost), group: mixGroup }
            })
            const rules = { maxInputs: 4, mixGroups: false }
            const groupsOf = (inputs: readonly Candidate[]) => new Set(inputs.map(({ group }) => group))
            const apart = selectOfGroup(candidates, BigInt(need), rules, undefined)
            if (apart) expect(groupsOf(apart.inputs).size).toBe(1)
            expect(groupsOf(findMostOfGroup(candidates, rules, undefined).inputs).size).toBeLessThanOrEqual(1)

            const mixed = selectOfGroup(candidates, BigInt(need), rules, accepted)
            const isExact = (inputs: readonly Candidate[]) =>
              inputs.length === accepted.length && inputs.every(({ address }) => accepted.includes(address))
            if (mixed && groupsOf(mixed.inputs).size > 1) {
              expect(apart).toBe(null)
              expect(isExact(mixed.inputs)).toBe(true)
            }
            const most = findMostOfGroup(candidates, rules, accepted)
            if (groupsOf(most.inputs).size > 1) expect(isExact(most.inputs)).toBe(true)

            // Every amount within one group's means is paid.
            for (const group of groupsOf(candidates)) {
              const alone = candidates.filter((one) => one.group === group)
              if (selectFunds(alone, BigInt(need), rules)) expect(apart).not.toBe(null)
            }
            const single = candidates.find((one) => netOf(one) >= BigInt(need))
            if (single) expect(apart?.inputs).toHaveLength(1)
          },
        ),
        { numRuns: runs },
      )
    })
  })
