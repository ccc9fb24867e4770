import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { privateKeyToAddress } from 'viem/accounts'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { loadEcdsa } from '../../../../proving/signing/ecdsa.ts'
import { feeWaiversConfig } from '../../../../relayer/account/fee-waivers/config.ts'
import { createFeeWaivers } from '../../../../relayer/account/fee-waivers/fee-waivers.ts'
import type { BroadcastEngine } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { broadcastConfig, type BroadcastConfig } from '../../../../relayer/chain/broadcast/config.ts'
import { createBroadcastEngine } from '../../../../relayer/chain/broadcast/create-broadcast-engine.ts'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { createGasPrices } from '../../../../relayer/chain/nodes/sending-price.ts'
import { listSigners } from '../../../../relayer/chain/nodes/relayer-config.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { screeningConfig } from '../../../../relayer/transact/screening/config.ts'
import { createScreening } from '../../../../relayer/transact/screening/create-screening.ts'
import { pricesConfig } from '../../../../relayer/market/prices/config.ts'
import { createUsdPrices } from '../../../../relayer/market/prices/create-usd-prices.ts'
import { listFixedPrices } from '../../../../relayer/market/prices/open-prices.ts'
import { indexerConfig } from '../../../../relayer/chain/indexer/config.ts'
import { createIndexer } from '../../../../relayer/chain/indexer/create-indexer.ts'
import { FeePrices } from '../../../../relayer/transact/fees/fee-prices.ts'
import { SendingChains } from '../../../../relayer/transact/intents/sending-chain.ts'
import { createGasBudget } from '../../../../relayer/chain/unpaid-gas/gas-budget.ts'
import { submissionsConfig, type SubmissionsConfig } from '../../../../relayer/transact/submissions/config.ts'
import { createQuestionTurns } from '../../../../relayer/chain/nodes/question-turns.ts'
import { QuoteBoard, createQuoteFollower } from '../../../../relayer/transact/submissions/follow-quote.ts'
import {
  createSubmissions,
  type Submissions,
} from '../../../../relayer/transact/submissions/create-submissions.ts'
import type { Quotes } from '../../../../relayer/transact/transact.ts'
import { shareBlockReader } from '../../../harness/share-block-reader.ts'
import { createDepths } from '../../../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'

/** Plain data, so that it can be passed to another process. */
export interface SubmissionSettings {
  databaseUrl: string
  /** Settings of the one chain, as a configuration file holds them. */
  chain: Record<string, unknown>
  config?: Partial<SubmissionsConfig>
  broadcast?: Partial<BroadcastConfig>
  /** Tokens that the operator listed; everything is one unless given. */
  tokens?: string[]
  /** Addresses that may not be paid. */
  listed?: string[]
  /** Dollars for one whole token, by address; other tokens have no price. */
  worth?: Record<string, string>
  /** False: no token is listed. */
  isListed?: boolean
  /** False: nothing is indexed. */
  index?: boolean
}

export interface RunningSubmissions extends Submissions, Pick<Quotes, 'follow'> {
  broadcast: BroadcastEngine
}

/**
 * Everything that takes submissions, from the parts that the service consists of. The caller passes the threads, because
 * they take longer to start than the rest.
 */
export async function startSubmissions(
  pool: DatabasePool,
  proving: ProvingPool,
  settings: SubmissionSettings,
): Promise<RunningSubmissions> {
  const logger = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const { relayer, ...rest } = chainConfig.parse(settings.chain)
  const config = { ...rest, relayer: relayer! }
  const chain = openChain(config, logger)
  const chains = new Map([[config.chainId, chain]])
  const gasPrices = createGasPrices(chain)
  const board = new QuoteBoard()
  const sharedState = createMemoryState(logger)
  const broadcast = createBroadcastEngine({
    chains,
    pool,
    databaseUrl: settings.databaseUrl,
    logger,
    config: broadcastConfig.parse({
      leaseMs: 1_000,
      resendAfterMs: 500,
      idleLookMs: 0,
      ...settings.broadcast,
    }),
  })
  const { listed = [], worth = {} } = settings
  const prices = Object.entries(worth).map(([address, usd]) => ({ chainId: config.chainId, address, usd }))
  const priced = pricesConfig.parse({ sources: [{ kind: 'fixed', prices }] })
  const gasBudget = createGasBudget(
    pool,
    new Map([[config.chainId, BigInt(config.relayer.unpaidGasPerHour)]]),
    logger,
  )
  const submissions = createSubmissions({
    board,
    turns: createQuestionTurns(0),
    gasBudget,
    nameNetwork: (network) => network,
    database: pool,
    chains,
    proving,
    broadcast,
    sendingChains: new SendingChains(chains, () => undefined),
    orchestrators: new Map([[config.chainId, [config.sending!.orchestrator]]]),
    ecdsa: await loadEcdsa(),
    feeWaivers: createFeeWaivers(pool, feeWaiversConfig.parse({})),
    screening: createScreening(chains, screeningConfig.parse({ mode: 'list', addresses: listed })),
    tokens: { isListed: ({ address }) => settings.tokens?.includes(address) ?? true },
    feePrices: new FeePrices({
      prices: createUsdPrices({
        database: pool,
        config: priced,
        sources: [],
        fixed: listFixedPrices(priced.sources),
        fallback: new Map(),
        watched: async () => [],
        logger,
      }),
      tokens: { isListed: () => settings.isListed ?? true },
      depths: createDepths(chains, 0),
      sendingPriceOf: () => gasPrices.sendingPrice(),
      config: { feePriceMaxAgeMs: 60_000, gasMarginPercent: 0 },
    }),
    signers: new Set(listSigners(config.relayer).map(({ key }) => privateKeyToAddress(key))),
    config: submissionsConfig.parse({
      sweepMs: 200,
      retryAfterMs: 200,
      // A machine may be slow: tests that want a short wait set it.
      sendWaitMs: 60_000,
      simulateTimeoutMs: 30_000,
      ...settings.config,
    }),
    logger,
  })
  const indexer = createIndexer({
    chains,
    pool,
    sharedState,
    logger,
    config: indexerConfig.parse({}),
    openReader: shareBlockReader,
  })
  await chain.start()
  await gasBudget.start()
  await broadcast.start()
  if (settings.index !== false) await indexer.start()
  await submissions.start()
  return {
    ...submissions,
    follow: createQuoteFollower(board, submissions.relayStatus),
    broadcast,
    async stop() {
      await submissions.stop()
      await gasBudget.stop()
      if (settings.index !== false) await indexer.stop()
      await broadcast.stop()
      await chain.stop()
      await sharedState.close()
    },
  }
}
