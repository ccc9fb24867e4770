import { addressOfPrivateKey } from '../../proving/signing/address.ts'
import { listCashOfQuotes } from '../../db/transact/due-cash-orders.ts'
import { loadEcdsa } from '../../proving/signing/ecdsa.ts'
import { createNameLookups } from '../../relayer/account/subdomains/lookup/name-lookups.ts'
import { createFeePrices } from '../../relayer/transact/fees/fee-prices.ts'
import { createDepths } from '../../relayer/transact/venues/swap/measure-depth.ts'
import { listSigners } from '../../relayer/chain/nodes/relayer-config.ts'
import { createQuestionTurns } from '../../relayer/chain/nodes/question-turns.ts'
import { createNames } from '../../relayer/transact/ens/create-names.ts'
import { createScreening } from '../../relayer/transact/screening/create-screening.ts'
import { createIntentDomains } from '../../relayer/transact/intents/intent-domains.ts'
import { createPoolSpending } from '../../relayer/transact/pool-spending/create-pool-spending.ts'
import { openQuoteSigner } from '../../relayer/transact/quotes/open-quote-signer.ts'
import { createPreviews } from '../../relayer/transact/previews/create-previews.ts'
import { openQuotes } from '../../relayer/transact/quotes/open-quotes.ts'
import { createPoolRecoveries } from '../../relayer/transact/pool-recoveries/create-pool-recoveries.ts'
import { createCollectibleWithdrawals } from '../../relayer/transact/collectible-withdrawals/create-collectible-withdrawals.ts'
import { createCashBook } from '../../relayer/transact/cash-orders/cash-book.ts'
import { createOrderFollower } from '../../relayer/transact/orders/create-order-follower.ts'
import { createBridgeBook } from '../../relayer/transact/orders/order-book.ts'
import { createQuoteBoard, type QuoteBoard } from '../../relayer/transact/submissions/quote-board.ts'
import { createSubmissions } from '../../relayer/transact/submissions/create-submissions.ts'
import { provenanceWriter } from '../../schema/account/provenance/describe-origin.ts'
import type { Foundations } from './foundations.ts'
import type { AccountParts } from './open-accounts.ts'
import type { HoldingParts } from './open-holdings.ts'
import type { RelayParts } from './open-relay.ts'

/** The services below this one. */
interface Below {
  foundations: Foundations
  relay: RelayParts
  account: AccountParts
  holding: HoldingParts
}

/** Quotes, and their submissions. */
export async function openSending(
  foundations: Foundations,
  relay: RelayParts,
  account: AccountParts,
  holding: HoldingParts,
) {
  const { shutdown, pool } = foundations
  const below = { foundations, relay, account, holding }
  const quoting = await openQuoting(below)
  const { quotes, nameLookups } = quoting
  const board = createQuoteBoard()
  const orders = followOrders(below, board)
  const submissions = await openSubmissions(below, quoting, board)
  return {
    nameLookups,
    quotes,
    previews: createPreviews(quotes),
    poolRecoveries: createPoolRecoveries({ database: pool, chains: relay.chains, quotes }),
    collectibleWithdrawals: createCollectibleWithdrawals({
      database: pool,
      collections: account.collections,
      quotes,
    }),
    poolSpending: openPoolSpending(below, quoting, board),
    submissions,
    async start() {
      quotes.start()
      orders.start()
      shutdown.add('submissions', () => submissions.stop())
      await submissions.start()
    },
  }
}

type Quoting = Awaited<ReturnType<typeof openQuoting>>

async function openQuoting({ foundations, relay, account, holding }: Below) {
  const { config, logger, shutdown, pool, vault, secrets, sharedState, proving } = foundations
  const { chains, relayerChains, broadcast, tokenDesk, lostRecipients } = relay
  const { collections, feeWaivers, names } = account
  const { addresses, apps, indexer, provenance } = holding
  const { tokens, prices } = tokenDesk
  const screening = createScreening(chains, config.screening)
  const nameLookups = createNameLookups({ database: pool, addresses, sharedState, secrets, config: names })
  const own = names.parent === undefined ? null : { parent: names.parent, find: nameLookups.find }
  const resolver = createNames({ chains, own, logger })
  const signer = await openQuoteSigner({ database: pool, vault, config: config.transact })
  const feePrices = createFeePrices({
    prices,
    tokens,
    depths: createDepths(chains, config.transact.minLiquidityUsd),
    config: config.transact,
  })
  const turns = createQuestionTurns(config.transact.questionSpacingMs)
  const quotes = openQuotes({
    turns,
    database: pool,
    vault,
    signer,
    chains,
    relayerChains,
    proving,
    tokens,
    prices,
    feePrices,
    screening,
    names: resolver,
    lostRecipients,
    addresses,
    apps,
    feeWaivers,
    collections,
    indexer,
    provenance,
    provenanceWriter,
    config: config.transact,
    broadcast,
    logger,
  })
  shutdown.add('quotes', () => quotes.stop())
  return { quotes, nameLookups, resolver, screening, signer, feePrices, turns }
}

/** Follows the orders at bridges and of cash-outs, from `start()` on. */
function followOrders({ foundations, relay, holding }: Below, board: QuoteBoard) {
  const { logger, shutdown, pool } = foundations
  const chains = listConfirmations(relay)
  const followed = { database: pool, indexer: holding.indexer, chains, logger }
  const cashOuts = createOrderFollower({
    ...followed,
    book: createCashBook(pool, chains),
    tell: board.tell,
  })
  const orders = createOrderFollower({
    ...followed,
    book: createBridgeBook(pool, chains),
    tell(quoteIds) {
      board.tell(quoteIds)
      // The outcome of a bridge order decides about the cash-out behind it.
      listCashOfQuotes(pool, quoteIds).then(cashOuts.nudge, (error: unknown) =>
        logger.warn({ err: error }, 'cash-outs were not told of their crossings'),
      )
    },
  })
  return {
    start() {
      cashOuts.start()
      orders.start()
      shutdown.add('cash-outs', () => cashOuts.stop())
      shutdown.add('orders', () => orders.stop())
    },
  }
}

const listConfirmations = ({ chains }: RelayParts) =>
  [...chains.values()].map(({ config: { chainId, confirmations } }) => ({ chainId, confirmations }))

async function openSubmissions(
  { foundations, relay, account, holding }: Below,
  { turns, screening, feePrices }: Quoting,
  board: QuoteBoard,
) {
  const { config, logger, pool, secrets, proving } = foundations
  const { chains, relayerChains, broadcast, gasBudget, tokenDesk } = relay
  const signers = [...chains.values()].flatMap(({ config: { relayer } }) =>
    relayer ? listSigners(relayer) : [],
  )
  return createSubmissions({
    board,
    turns,
    database: pool,
    chains,
    proving,
    broadcast,
    domains: createIntentDomains(chains),
    orchestrators: holding.orchestrators,
    ecdsa: await loadEcdsa(),
    screening,
    feePrices,
    tokens: tokenDesk.tokens,
    feeWaivers: account.feeWaivers,
    sendingPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.sendingPrice() ?? null,
    gasBudget,
    nameNetwork: (network) => secrets.digest('network of a send', network).toString('hex').slice(0, 32),
    signers: new Set(signers.map(({ key }) => addressOfPrivateKey(key))),
    config: config.transact.submissions,
    logger,
  })
}

function openPoolSpending(
  { foundations: { pool, vault }, relay, holding }: Below,
  { resolver, screening, signer }: Quoting,
  board: QuoteBoard,
) {
  const { chains, relayerChains, withdrawals, tokenDesk, lostRecipients } = relay
  const { addresses, books, featuresOf } = holding
  return createPoolSpending({
    database: pool,
    vault,
    books,
    board,
    chains: listConfirmations(relay),
    accountPools: { served: chains, chains: relayerChains, featuresOf },
    withdrawals,
    tokens: tokenDesk.tokens,
    prices: tokenDesk.prices,
    addresses,
    names: resolver,
    lostRecipients,
    screening,
    signer,
  })
}
