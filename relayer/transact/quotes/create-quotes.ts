import { reserveFunds } from '../../../db/transact/reservations.ts'
import { tokenIdOf } from '../../market/tokens/token-id.ts'
import { readAddressKind } from '../screening/address-kind.ts'
import { createGasMeasures } from '../fees/measure-gas.ts'
import { checkRecipient } from '../safety/check-recipient.ts'
import { matchKnown } from '../safety/match-known.ts'
import type { Quote, Quotes, SendRequest } from '../transact.ts'
import { listHolders } from './choose-funds.ts'
import { issueQuote } from './issue-quote.ts'
import { orUnavailable } from './or-unavailable.ts'
import { prepareSending } from './prepare-sending.ts'
import type { QuoteParts } from './quote-parts.ts'
import { priceMax } from './price-max.ts'
import { refreshQuote } from './refresh-quote.ts'
import { badRequest } from '../refusals.ts'
import { releaseEnded, unlockQuote } from './release-quotes.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { serializeByKey } from '../../concurrency/serialize-by-key.ts'

/** Quotes, and the timer that ends those that ran out. */
export interface OpenQuotes extends Quotes {
  start(): void
  /** Ends the timer, once what runs has ended. */
  stop(): Promise<void>
}

export function createQuotes(options: QuoteParts): OpenQuotes {
  const parts = { ...options, gas: createGasMeasures(options.proving, options.config) }
  const { database, config, signer, logger } = parts
  /** Quotes of one account would choose the same addresses; those of other instances meet the constraint. */
  const inTurn = serializeByKey()
  let timer: NodeJS.Timeout | undefined
  let unfollow = () => {}
  let running: Promise<void> | null = null

  async function quoteSend(accountId: string, request: SendRequest): Promise<Quote> {
    const { chainId, spendableAddresses, singleAddress, maxSend } = request
    const token = tokenIdOf(chainId, request.token).address
    if (!maxSend && request.amount <= 0n) throw badRequest('amount: expected more than zero')
    const { chain } = await openSendingChain(parts, chainId)
    const recipient = await checkRecipient(parts, chain.client, accountId, { ...request, token })
    const expiresAt = new Date(Date.now() + (request.ttl ?? config.ttlSeconds) * 1_000)
    return issueQuote(parts, {
      accountId,
      recipient,
      replaces: null,
      async plan() {
        const [prepared, holders] = await Promise.all([
          prepareSending(parts, accountId, { chainId, token }),
          listHolders(
            parts,
            accountId,
            { chainId, token },
            { spendableAddresses, singleAddress, except: recipient.address },
          ),
        ])
        demandDecimals(request.decimals, prepared.token.decimals)
        const amount = maxSend ? 'max' : request.amount
        return { ...prepared, amount, recipient: recipient.address, holders, expiresAt }
      },
      reserve: reserveFunds,
    })
  }

  const expire = () => (running ??= releaseEnded(database).finally(() => (running = null)))

  return {
    signerPublicKey: () => signer.publicKey,
    quoteSend: (accountId, request) => inTurn(accountId, () => orUnavailable(quoteSend(accountId, request))),
    refresh: (accountId, quoteId) =>
      inTurn(accountId, () => orUnavailable(refreshQuote(parts, accountId, quoteId))),
    unlock: (accountId, quoteId) => unlockQuote(database, accountId, quoteId),
    maxSpendable: (accountId, request) => orUnavailable(priceMax(parts, accountId, request)),
    expire,
    async describeRecipient(accountId, chainId, address) {
      const chain = parts.chains.get(chainId)
      if (!chain) throw badRequest(`Chain ${chainId} is not served`, 'CHAIN_NOT_SUPPORTED')
      const [kind, { owned, poisoning }] = await Promise.all([
        readAddressKind(chain.client, address),
        matchKnown(parts, accountId, address),
      ])
      return owned ? { kind: 'own', poisoning: null } : { kind, poisoning }
    },
    findAvatar: async (destination) =>
      parts.names.isName(destination) ? parts.names.avatar(destination) : null,
    start() {
      timer = setInterval(() => {
        expire().catch((error: unknown) =>
          logger.warn({ err: error }, 'quotes that ran out could not be ended'),
        )
      }, config.expireEveryMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      unfollow()
      await running?.catch(() => undefined)
    },
  }
}

/** A client that reckons in other decimals asks for another amount than its user sees. */
function demandDecimals(given: number | undefined, decimals: number): void {
  if (given !== undefined && given !== decimals)
    throw badRequest(`decimals: the token has ${decimals}, not ${given}`, 'DECIMALS_MISMATCH')
}
