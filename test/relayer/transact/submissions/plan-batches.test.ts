import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { QueuedIntent } from '../../../../db/transact/batches.ts'
import {
  gasOf,
  groupByQuote,
  planBatches,
  roomOf,
} from '../../../../relayer/transact/submissions/plan-batches.ts'

const upTo = (limit: number) => Math.floor(Math.random() * limit)

/** A random queue: few accounts with many quotes, which also pay each other; some were tried before. */
function randomQueue(): QueuedIntent[] {
  const accounts = Array.from({ length: 1 + upTo(12) }, () => randomUUID())
  const anyAccount = () => accounts[upTo(accounts.length)]!
  return Array.from({ length: upTo(40) }, () => {
    const shared = {
      quoteId: randomUUID(),
      accountId: anyAccount(),
      recipientAccountId: Math.random() < 0.3 ? anyAccount() : null,
      attempts: Math.random() < 0.1 ? 1 : 0,
      contracts: Math.random() < 0.1 ? [] : null,
      wasMined: false,
    }
    const alone = Math.random() < 0.2
    const size = 1 + upTo(2_000)
    return Array.from({ length: 1 + upTo(4) }, (): QueuedIntent => ({
      ...shared,
      id: randomUUID(),
      eoa: '0x0000000000000000000000000000000000000001',
      intentNonce: 0n,
      encoded: bytesToHex(randomBytes(size)),
      combinedGas: BigInt(50_000 + upTo(500_000)),
      transactionGas: BigInt(80_000 + upTo(900_000)),
      delegation: null,
      exposed: false,
      alone,
      expiresAt: new Date(),
      fromBlock: 0n,
      uncoveredMs: null,
      kind: 'send',
      token: '0x01' as const,
      tokenDecimals: 18,
      feeListed: true,
      networkFee: 0n,
      quoteNetworkFee: 0n,
      quoteGasCost: 0n,
      outputToken: null,
    }))
  }).flat()
}

describe('any plan for any queue', () => {
  it('sends each quote once and complete, has no account twice in one transaction, and fits', () => {
    for (let round = 0; round < 600; round += 1) {
      const queue = randomQueue()
      const room = roomOf(
        { maxBatch: 1 + upTo(20), maxBatchGas: 16_777_216 },
        {
          blockGasLimit: BigInt(2_000_000 + upTo(40_000_000)),
          budgetGas: BigInt(2_000_000 + upTo(40_000_000)),
        },
        upTo(2) === 0 ? null : BigInt(1_000_000 + upTo(10_000_000)),
      )
      const batches = planBatches(groupByQuote(queue), room)
      expect(
        batches.flatMap((quotes) => quotes.flatMap(({ intents }) => intents.map(({ id }) => id))).toSorted(),
      ).toEqual(queue.map(({ id }) => id).toSorted())
      for (const quotes of batches) {
        const shown = quotes.flatMap(({ intents: [first] }) => [
          ...new Set([first!.accountId, first!.recipientAccountId].filter((id) => id !== null)),
        ])
        expect(new Set(shown).size).toBe(shown.length)
        for (const { intents } of quotes)
          if (intents.some(({ alone }) => alone)) expect(intents.length).toBe(1)
        if (quotes.length === 1) continue
        expect(quotes.length).toBeLessThanOrEqual(room.maxQuotes)
        expect(gasOf(quotes)).toBeLessThanOrEqual(room.maxGas)
        expect(gasOf(quotes)).toBeLessThanOrEqual(16_777_216n)
        expect(
          quotes.every(({ intents }) =>
            intents.every(({ attempts, contracts }) => attempts === 0 && contracts === null),
          ),
        ).toBe(true)
      }
    }
  })

  it('batches all that it can', () => {
    const queue = randomQueue().map((intent) => ({
      ...intent,
      accountId: intent.quoteId,
      alone: false,
      recipientAccountId: null,
      attempts: 0,
      contracts: null,
    }))
    const wide = { maxQuotes: 1_000, maxGas: 10n ** 12n }
    const small = queue.map((intent) => ({ ...intent, encoded: '0x00' as const }))
    expect(planBatches(groupByQuote(small), wide).length).toBe(small.length > 0 ? 1 : 0)
  })
})
