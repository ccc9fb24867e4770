import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../../../relayer/account/apps/config.ts'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { popBlocks } from '../../../../db/chain/indexer/pop-blocks.ts'
import { createProvenance } from '../../../../relayer/account/provenance/create-provenance.ts'
import {
  explainHolding,
  explainLots,
  type HoldingOrigin,
} from '../../../../relayer/account/provenance/explain-origin.ts'
import type { Provenance } from '../../../../relayer/account/provenance/provenance.ts'
import type { MovingTransaction } from '../../../../relayer/account/provenance/movements.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { openTokens, type TokenDesk } from '../../../../relayer/market/open-tokens.ts'
import { pricesConfig } from '../../../../relayer/market/prices/config.ts'
import { tokensConfig } from '../../../../relayer/market/tokens/config.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { traceMovements } from './histories.ts'
import {
  CHAINS,
  openOwner,
  seedTokens,
  writeHistory,
  fundOwner,
  type Owner,
  type Step,
} from './seed-history.ts'

const anyStep = fc.record({
  chainId: fc.constantFrom(...CHAINS),
  movements: fc.array(
    fc.record({
      from: fc.constantFrom('A', 'B', 'C', 'D', 'x', 'y', 'entrypoint'),
      to: fc.constantFrom('A', 'B', 'C', 'D', 'x', 'y', 'entrypoint'),
      amount: fc.integer({ min: 0, max: 20 }),
      token: fc.constantFrom('T', 'U'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  relays: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 4 }),
  order: fc.option(
    fc.record({ before: fc.integer({ min: 1, max: 6 }), to: fc.constantFrom('A', 'B', 'C', 'D') }),
    {
      freq: 5,
    },
  ),
})
/** An order departs by the transaction of an own address on one chain, and one other delivers it on the other chain. */
const anyHistory = fc.array(anyStep, { maxLength: 12 }).map((drawn) => {
  const departed = new Set<number>()
  return drawn.map(({ order, ...step }, place): Step => {
    const from = place - (order?.before ?? 0)
    const origin = drawn[from]
    const isSent = origin?.movements.some((one) => 'ABCD'.includes(one.from)) ?? false
    if (!order || !isSent || origin?.chainId === step.chainId || departed.has(from))
      return { ...step, delivers: null }
    departed.add(from)
    return { ...step, delivers: { from, to: order.to } }
  })
})

const essentials = (origin: HoldingOrigin) => ({
  reason: origin.reason,
  sources: origin.sources,
  direct: origin.direct,
  olderCount: origin.olderCount,
  actions: origin.actions,
  association: origin.association,
  mixGroup: origin.mixGroup,
})

/** The holding of every address in any history. */
const HELD = 15n

/** Properties of the database's answers about any history, each checked on the given number of random ones. */
export const describeRandomWallets = (runs: number) =>
  describe('an answer about any address of any account', () => {
    let database: TestDatabase
    let desk: TokenDesk
    let provenance: Provenance
    let tokens: Awaited<ReturnType<typeof seedTokens>>
    beforeAll(async () => {
      database = await openTestDatabase()
      desk = await openTokens({
        database: database.pool,
        chains: new Map(),
        config: { catalog: tokensConfig.parse({}), prices: pricesConfig.parse({}) },
        logger: pino({ level: 'silent' }),
      })
      tokens = await seedTokens(database.pool)
      // One for all, so that answers from before a wallet changed are cached and could be repeated.
      provenance = createProvenance({
        database: database.pool,
        ...desk,
        secrets: createTransientSecrets(new Uint8Array(32)),
        actionOf: (kind) => kind,
        describeApp: createAppRegistry(appsConfig.parse({}), { loopback: false }).name,
      })
    })
    afterAll(async () => {
      await desk?.stop()
      await database?.drop()
    })

    const fund = (owner: Owner) => fundOwner(database.pool, owner, HELD)

    async function expectEqual(owner: Owner, history: readonly MovingTransaction[]): Promise<void> {
      const { accountId, own } = owner
      const trace = traceMovements(history, (address) => own.includes(address))
      // One address at a time, so that all others have to be found from it.
      for (const address of own) {
        const asked = CHAINS.flatMap((chainId) =>
          Object.values(tokens).map((token) => ({ chainId, address, token })),
        )
        const told = await provenance.explainHoldings(accountId, asked)
        for (const holding of asked)
          expect(essentials(told.of(holding))).toEqual(
            essentials(explainHolding(trace, { ...holding, held: HELD })),
          )
        expect(told.receivesOf(address).count).toBe(trace.arrivals(address).length)
      }
      const moves = history.flatMap(({ chainId, txHash }) =>
        txHash === null
          ? []
          : own.flatMap((address) =>
              Object.values(tokens).map((token) => ({ chainId, txHash, address, token })),
            ),
      )
      const { arrived, left } = await provenance.explainMoves(accountId, moves)
      for (const move of moves) {
        const { address, token } = move
        const found = trace.moved(`${move.chainId}:${move.txHash}`, address, token)
        if (found.arrived.length > 0)
          expect(essentials(arrived(move))).toEqual(essentials(explainLots(trace, address, found.arrived)))
        if (found.left.length > 0)
          expect(essentials(left(move))).toEqual(essentials(explainLots(trace, address, found.left)))
      }
    }

    it('equals a trace of everything, also after a reorg replaced a part of it', async () => {
      await fc.assert(
        fc.asyncProperty(anyHistory, anyHistory, fc.nat(12), async (history, other, kept) => {
          const owner = await openOwner(database.pool, tokens)
          await fund(owner)
          const written = await writeHistory(database.pool, owner, history)
          await expectEqual(owner, written)

          const ancestor = Math.min(kept, history.length)
          const rest = written.slice(0, ancestor)
          for (const chainId of CHAINS) await popBlocks(database.pool, chainId, BigInt(ancestor), 1)
          await fund(owner)
          await expectEqual(owner, rest)

          const replaced = await writeHistory(database.pool, owner, other, ancestor + 1)
          await expectEqual(owner, [...rest, ...replaced])
        }),
        { numRuns: runs },
      )
    })
  })
