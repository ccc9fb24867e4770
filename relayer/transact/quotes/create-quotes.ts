import { isOutputTaken, findQuote } from '../../../db/transact/quotes.ts'
import type { KeepAnswer } from '../../keep-answer.ts'
import { demandSending } from '../../chain/broadcast/demand-gas.ts'
import { readAddressKind } from '../screening/address-kind.ts'
import { GasMeasures } from '../fees/measure-gas.ts'
import type { KindContext } from '../kinds/quote-kind.ts'
import { kindOf, type MaxSentRequest, type SentRequest } from '../kinds/quote-kinds.ts'
import { demandDecimals } from '../kinds/amount-request.ts'
import { holdingsOf, type QuotePlan } from '../kinds/quote-plan.ts'
import type { PreviewRequest, Quote, PlanPreview, RecipientKind } from '../transact.ts'
import { listAccountFeatures } from '../../../db/market/tokens/account-tokens.ts'
import type { RelayerChains } from '../../pool/relay/relayer-chain.ts'
import { preparePlan, type QuoteParts } from './prepare-quote.ts'
import { issueQuote } from './issue-quote.ts'
import { orUnavailable } from './or-unavailable.ts'
import { priceMax, priceQuote } from './price-quote.ts'
import { refreshQuote } from './refresh-quote.ts'
import { releaseEnded, unlockQuote } from './release-quotes.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { startClock } from '../../concurrency/even-times.ts'
import { serializeByKey } from '../../concurrency/coalesce-runs.ts'
import {
  insufficientFundsForFees,
  quoteLockConflict,
  insufficientBalance,
  provenanceMix,
  quoteNotFound,
} from '../errors.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { countOwnAddresses } from '../../../db/account/addresses/stealth-addresses.ts'
import { badRequest } from '../../errors.ts'
import { networkFeeOf, SharedFees } from '../fees/network-fee.ts'
import { effectiveBps, serviceFeeOf } from '../fees/service-fee.ts'
import { attributionOf } from './build-intents.ts'
import { signQuote } from '../signing/sign-quote.ts'
import { matchKnown } from '../safety/check-recipient.ts'

/** Most attempts to plan a quote when another instance is faster. */
const ATTEMPTS = 3

/** Quotes whose intents the service sends. */
export type SentQuotes = ReturnType<typeof createSentQuotes>

/**
 * Creates the quotes over PostgreSQL; see {@link import('../transact.ts').Quotes}. Quotes of one account are serialized within this instance.
 * `start` begins the timer that releases the funds of expired quotes, and spent funds that are indexed.
 */
export function createSentQuotes({
  relayerChains,
  ...options
}: Omit<QuoteParts, 'gas' | 'sharedFees' | 'sendingPriceOf' | 'pools'> & {
  relayerChains: RelayerChains
}) {
  const parts = {
    ...options,
    pools: {
      served: options.chains,
      chains: relayerChains,
      featuresOf: (accountId: string) => listAccountFeatures(options.database, accountId),
    },
    sendingPriceOf: (chainId: number) => options.feePrices.sendingPriceOf(chainId),
    gas: new GasMeasures(options.proving, options.config),
    sharedFees: new SharedFees(),
  }
  const { database, config, signer, names } = parts
  /** Parallel quotes of one account would choose the same addresses; across instances the constraint decides. */
  const inTurn = serializeByKey()
  const clock = createExpiryClock(parts)

  return {
    ...clock,
    signerPublicKey: () => signer.publicKey,
    attribution: () => ({
      codes: config.attribution?.codes ?? [],
      integratorIds: config.attribution?.acrossIntegratorId ? [config.attribution.acrossIntegratorId] : [],
    }),
    create: (accountId: string, request: SentRequest, keepAnswer?: KeepAnswer<Quote>) =>
      inTurn(accountId, () => orUnavailable(createQuote(parts, accountId, request, keepAnswer))),
    /** Returns null for an unknown quote. */
    refresh: (accountId: string, quoteId: string, keepAnswer?: KeepAnswer<Quote>) =>
      inTurn(accountId, () => orUnavailable(refreshQuote(parts, accountId, quoteId, keepAnswer))),
    read: (accountId: string, quoteId: string) => readStoredQuote(parts, accountId, quoteId),
    /** Returns false for an unknown quote. */
    unlock: (accountId: string, quoteId: string) => unlockQuote(database, accountId, quoteId),
    maxSpendable: (accountId: string, request: MaxSentRequest) =>
      orUnavailable(priceMax(parts, accountId, request)),
    /**
     * Previews a quote of a plan; nothing is reserved and no address is issued.
     * @throws ServiceError as `create` does, except shortages of funds.
     */
    preview: <Found extends { plan: QuotePlan }>(accountId: string, asked: PreviewRequest<Found>) =>
      orUnavailable(preview(parts, accountId, asked)),
    describeRecipient: (accountId: string, chainId: number, address: Address) =>
      describeRecipient(parts, accountId, chainId, address),
    findAvatar: async (destination: string) => (names.isName(destination) ? names.avatar(destination) : null),
  }
}

/** Creates the timer that ends expired quotes, one round at a time. */
function createExpiryClock({ database, config, logger }: QuoteParts) {
  let stopClock = () => {}
  let running: Promise<void> | null = null
  const expire = () => (running ??= releaseEnded(database, logger).finally(() => (running = null)))
  return {
    start() {
      stopClock = startClock(config.expireEveryMs, () => {
        expire().catch((error: unknown) =>
          logger.warn({ err: error }, 'quotes that ran out could not be ended'),
        )
      })
    },
    /** Stops the timer, after the pending round has ended. */
    async stop() {
      stopClock()
      await running?.catch(() => undefined)
    },
  }
}

async function createQuote(
  parts: QuoteParts,
  accountId: string,
  request: SentRequest,
  keepAnswer?: KeepAnswer<Quote>,
): Promise<Quote> {
  const chainId = await kindOf(request.kind).chainOf(parts, accountId, request)
  const sending = await parts.sendingChains.open(chainId)
  demandSending(parts.broadcast, chainId)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await planAndIssue({ ...parts, accountId, sending }, request, keepAnswer)
    } catch (error) {
      // Another instance used the same fresh address for its output: the next attempt chooses another.
      if (!isOutputTaken(error)) throw error
    }
  }
  throw quoteLockConflict()
}

async function planAndIssue(
  context: QuoteParts & KindContext,
  request: SentRequest,
  keepAnswer: KeepAnswer<Quote> | undefined,
): Promise<Quote> {
  const { database, config, accountId, sending } = context
  const { kind } = request
  const plan = await kindOf(kind).plan(context, request)
  await demandOwnAddresses(database, accountId, holdingsOf(plan).funders.acknowledgedProvenanceMix ?? [])
  const expiresAt = new Date(Date.now() + (request.ttl ?? config.ttlSeconds) * 1_000)
  return issueQuote(context, {
    accountId,
    kind,
    replaces: null,
    keepAnswer,
    async prepare() {
      const prepared = await preparePlan(context, accountId, { kind: kindOf(kind), sending }, plan)
      demandDecimals(plan.decimals, prepared.token.decimals)
      return { ...prepared, isMixAgreed: false, nonces: new Map(), expiresAt }
    },
  }).catch((error: unknown) => {
    const { funding } = plan
    const told = funding.from === 'calls' && insufficientFundsForFees.matches(error) && funding.allForFees?.()
    throw told || error
  })
}

async function preview<Found extends { plan: QuotePlan }>(
  parts: QuoteParts,
  accountId: string,
  { kind, chainId, amount, find }: PreviewRequest<Found>,
) {
  const sending = await parts.sendingChains.open(chainId)
  const found = await find({ ...parts, accountId, sending })
  const previewed = await previewPlan(parts, accountId, { sending, kind, plan: found.plan, amount })
  return { ...previewed, found }
}

async function describeRecipient(
  parts: QuoteParts,
  accountId: string,
  chainId: number,
  address: Address,
): Promise<RecipientKind> {
  const chain = parts.chains.get(chainId)
  if (!chain) throw chainNotSupported(`Chain ${chainId} is not served`)
  const { owned, poisoning } = await matchKnown(parts, accountId, address)
  // No node is queried about an own address.
  if (owned) return { kind: 'own', poisoning: null }
  return { kind: await readAddressKind(chain.client, address), poisoning }
}

/**
 * Checks that a client names only addresses of its account.
 * @throws ServiceError `bad-request` BAD_REQUEST.
 */
async function demandOwnAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly Address[],
): Promise<void> {
  const named = [...new Set(addresses)]
  if (named.length === 0 || (await countOwnAddresses(connection, accountId, named)) === named.length) return
  throw badRequest('acknowledgedProvenanceMix: expected addresses of the account')
}

/** Errors that mean that the account's present funds could not pay. */
const SHORTAGES = [insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict]

/**
 * Prices and runs a plan as a quote would, and stops before anything is reserved or stored.
 * @param of `amount`: the amount that the plan spends.
 * @throws ServiceError as preparePlan and priceQuote do, except shortages of funds.
 */
async function previewPlan(
  parts: QuoteParts,
  accountId: string,
  { sending, kind, plan, amount }: { sending: SendingChain; kind: string; plan: QuotePlan; amount: bigint },
): Promise<PlanPreview> {
  const prepared = await preparePlan(parts, accountId, { kind: kindOf(kind), sending }, plan)
  const { token, terms } = prepared
  const fees = { protocolFeeBps: effectiveBps(terms), protocolFeeAmount: serviceFeeOf(amount, terms) }
  const expiresAt = new Date(Date.now() + parts.config.ttlSeconds * 1_000)
  try {
    const suffixOf = attributionOf(parts.config, kind, sending.chain.config)
    const priced = await priceQuote(
      parts,
      { ...prepared, isMixAgreed: false, nonces: new Map(), expiresAt },
      suffixOf,
    )
    return {
      plan: priced.plan,
      output: priced.plan.outputOf(amount, token, [amount]),
      feeEstimate: priced.networkFee + priced.serviceFee,
      ...fees,
      rateOnly: false,
    }
  } catch (error) {
    if (!SHORTAGES.some((shortage) => shortage.matches(error))) throw error
    const gas = await parts.gas.find(sending, plan)
    return {
      plan,
      output: plan.outputOf(amount, token, [amount]),
      feeEstimate: gas && networkFeeOf(gas.first, prepared.rate) + fees.protocolFeeAmount,
      ...fees,
      rateOnly: true,
    }
  }
}

/**
 * Reads an account's quote again, and signs it as it is stored: without the origins of its money.
 * @throws ServiceError `not-found` also for a quote that ended before it was submitted, of which nothing is stored.
 */
async function readStoredQuote(
  { database, signer }: QuoteParts,
  accountId: string,
  quoteId: string,
): Promise<Quote> {
  const row = await findQuote(database, accountId, quoteId)
  if (!row || row.recipient === null) throw quoteNotFound()
  const terms = { ...row.terms, provenanceLabelGroups: [] }
  return { quoteId, terms, ...(await signQuote(signer, terms)) }
}
