import { addressOfPrivateKey } from '../../proving/signing/address.ts'
import { loadEcdsa } from '../../proving/signing/ecdsa.ts'
import { listCashOfQuotes } from '../../db/transact/cash-orders.ts'
import type { AccountServices } from '../account/open-accounts.ts'
import type { ChainServices } from '../chain/open-chains.ts'
import type { FollowedContracts } from '../chain/indexer/create-indexer.ts'
import { createQuestionTurns } from '../chain/nodes/question-turns.ts'
import { listSigners } from '../chain/nodes/relayer-config.ts'
import type { ServiceKeys } from '../identity/transient-secrets.ts'
import type { TokenDesk } from '../market/open-tokens.ts'
import type { PoolServices } from '../pool/open-pools.ts'
import type { ServiceBase } from '../service-base.ts'
import { createCashBook } from './cash-orders/cash-book.ts'
import type { TransactConfig } from './config.ts'
import { createNames } from './ens/create-names.ts'
import { FeePrices } from './fees/fee-prices.ts'
import { SendingChains } from './intents/sending-chain.ts'
import { OrderFollower, createBridgeBook } from './orders/order-follower.ts'
import { createPoolSpending, type PoolSpending } from './pool-spending/create-pool-spending.ts'
import { createPreviews } from './previews/create-previews.ts'
import { createSentQuotes, type SentQuotes } from './quotes/create-quotes.ts'
import type { QuoteParts } from './quotes/prepare-quote.ts'
import type { ScreeningConfig } from './screening/config.ts'
import { createScreening } from './screening/create-screening.ts'
import { createSubmissions, type Submissions } from './submissions/create-submissions.ts'
import { QuoteBoard, createQuoteFollower } from './submissions/follow-quote.ts'
import { quoteNotFound } from './errors.ts'
import { isOfWallet } from './kinds/quote-kinds.ts'
import type { Quotes } from './transact.ts'
import { createDepths } from './venues/swap/uniswap/uniswap-venue.ts'
import { openQuoteSigner } from './signing/sign-quote.ts'

/** The settings of sending. */
export interface TransactSettings {
  transact: TransactConfig
  screening: ScreeningConfig
  /** Parent of the accounts' names; absent if none is configured. */
  names: { parent?: string | undefined }
}

/** The districts below, and what they stand on. */
export interface BelowTransact {
  base: ServiceBase
  keys: ServiceKeys
  chain: ChainServices
  market: TokenDesk
  pool: PoolServices
  account: AccountServices
}

/**
 * Opens sending: quotes, their submissions, and the orders behind them.
 * @param orchestrators By chain, the contracts that execute intents.
 * @param provenanceWriter Writes the origins of an answer, in the form that the API has.
 */
export async function openTransact(
  below: BelowTransact,
  config: TransactSettings,
  orchestrators: FollowedContracts['orchestrators'],
  provenanceWriter: QuoteParts['provenanceWriter'],
) {
  const { shutdown } = below.base
  const quoting = await openQuoting(below, config, provenanceWriter)
  const { quotes } = quoting
  const board = new QuoteBoard()
  const orders = followOrders(below, board)
  const submissions = await openSubmissions(below, config, quoting, board, orchestrators)
  const spending = openPoolSpending(below, quoting, board)
  return {
    services: {
      quotes: uniteQuotes(quotes, submissions, spending, board),
      previews: createPreviews(quotes),
    },
    async start() {
      quotes.start()
      orders.start()
      shutdown.add('submissions', () => submissions.stop())
      await submissions.start()
    },
  }
}

type Quoting = Awaited<ReturnType<typeof openQuoting>>

async function openQuoting(
  { base, keys, chain, market, pool, account }: BelowTransact,
  config: TransactSettings,
  provenanceWriter: QuoteParts['provenanceWriter'],
) {
  const { database, logger, shutdown, proving } = base
  const { chains, broadcast, indexer } = chain
  const { tokens, prices } = market
  const { parent } = config.names
  const own = parent === undefined ? null : { parent, find: account.nameLookups.find }
  const quoting = {
    resolver: createNames({ chains, own, logger }),
    screening: createScreening(chains, config.screening),
    signer: await openQuoteSigner({ database, vault: keys.vault, quoteKey: config.transact.quoteKey }),
    feePrices: new FeePrices({
      prices,
      tokens,
      depths: createDepths(chains, config.transact.minLiquidityUsd),
      sendingPriceOf: (chainId) => pool.relayerChains.get(chainId)?.gasPrices.sendingPrice() ?? null,
      config: config.transact,
    }),
    turns: createQuestionTurns(config.transact.questionSpacingMs),
    sendingChains: new SendingChains(
      chains,
      (chainId) => config.transact.feeReceivers[chainId] ?? pool.relayerChains.get(chainId)?.feeReceiver,
    ),
  }
  const { resolver, ...shared } = quoting
  const quotes = createSentQuotes({
    ...shared,
    names: resolver,
    database,
    vault: keys.vault,
    chains,
    relayerChains: pool.relayerChains,
    proving,
    tokens,
    prices,
    lostRecipients: pool.lostRecipients,
    addresses: account.addresses,
    apps: account.apps,
    feeWaivers: account.feeWaivers,
    collections: account.collections,
    indexer,
    provenance: account.provenance,
    provenanceWriter,
    config: config.transact,
    broadcast,
    logger,
  })
  shutdown.add('quotes', () => quotes.stop())
  return { ...quoting, quotes }
}

/** Follows the orders at bridges and of cash-outs, from `start()` on. */
function followOrders({ base, chain }: BelowTransact, board: QuoteBoard) {
  const { database, logger, shutdown } = base
  const chains = listConfirmations(chain)
  const followed = { database, indexer: chain.indexer, chains, logger }
  const cashOuts = new OrderFollower({
    ...followed,
    book: createCashBook(database, chains),
    tell: board.tell,
  })
  const orders = new OrderFollower({
    ...followed,
    book: createBridgeBook(database, chains),
    tell(quoteIds) {
      board.tell(quoteIds)
      // The outcome of a bridge order decides about the cash-out behind it.
      listCashOfQuotes(database, quoteIds).then(cashOuts.nudge, (error: unknown) =>
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

const listConfirmations = ({ chains }: ChainServices) =>
  [...chains.values()].map(({ config: { chainId, confirmations } }) => ({ chainId, confirmations }))

async function openSubmissions(
  { base, keys, chain, market, account }: BelowTransact,
  { transact: config }: TransactSettings,
  { turns, screening, feePrices, sendingChains }: Quoting,
  board: QuoteBoard,
  orchestrators: FollowedContracts['orchestrators'],
) {
  const { database, logger, proving } = base
  const { chains, broadcast, gasBudget } = chain
  const signers = [...chains.values()].flatMap(({ config: { relayer } }) =>
    relayer ? listSigners(relayer) : [],
  )
  return createSubmissions({
    board,
    turns,
    database,
    chains,
    proving,
    broadcast,
    sendingChains,
    orchestrators,
    ecdsa: await loadEcdsa(),
    screening,
    feePrices,
    tokens: market.tokens,
    feeWaivers: account.feeWaivers,
    gasBudget,
    nameNetwork: (network) => keys.secrets.digest('network of a send', network).toString('hex').slice(0, 32),
    signers: new Set(signers.map(({ key }) => addressOfPrivateKey(key))),
    config: config.submissions,
    logger,
  })
}

function openPoolSpending(
  { base: { database }, keys: { vault }, chain, market, pool, account: { addresses } }: BelowTransact,
  { resolver, screening, signer }: Quoting,
  board: QuoteBoard,
) {
  const { relayerChains, withdrawals, lostRecipients, books, featuresOf } = pool
  return createPoolSpending({
    database,
    vault,
    books,
    board,
    chains: listConfirmations(chain),
    accountPools: { served: chain.chains, chains: relayerChains, featuresOf },
    withdrawals,
    tokens: market.tokens,
    prices: market.prices,
    addresses,
    names: resolver,
    lostRecipients,
    screening,
    signer,
  })
}

/** Joins the quotes that the service sends with those that wallets send, so that nothing above asks which one has a quote. */
function uniteQuotes(
  sent: SentQuotes,
  submissions: Submissions,
  spending: PoolSpending,
  board: QuoteBoard,
): Quotes {
  const { signerPublicKey, attribution, read, describeRecipient, findAvatar } = sent
  const relayStatus: Quotes['relayStatus'] = async (accountId, quoteId) =>
    (await submissions.relayStatus(accountId, quoteId)) ?? spending.relayStatus(accountId, quoteId)
  return {
    signerPublicKey,
    attribution,
    read,
    describeRecipient,
    findAvatar,
    create: (accountId, request, keepAnswer) =>
      isOfWallet(request)
        ? spending.create(accountId, request, keepAnswer)
        : sent.create(accountId, request, keepAnswer),
    maxSpendable: (accountId, request) =>
      isOfWallet(request) ? spending.maxSpendable(accountId, request) : sent.maxSpendable(accountId, request),
    async refresh(accountId, quoteId, keepAnswer) {
      const quote =
        (await sent.refresh(accountId, quoteId, keepAnswer)) ?? (await spending.refresh(accountId, quoteId))
      if (!quote) throw quoteNotFound()
      return quote
    },
    async unlock(accountId, quoteId) {
      if (!(await sent.unlock(accountId, quoteId)) && !(await spending.unlock(accountId, quoteId)))
        throw quoteNotFound()
    },
    submit: (accountId, submission, from) =>
      'withdrawals' in submission
        ? spending.submit(accountId, submission)
        : submissions.submit(accountId, submission, from),
    relayStatus,
    follow: createQuoteFollower(board, relayStatus),
  }
}
