import type { CommonQueryMethods } from 'slonik'
import { submitIntents } from '../../../../db/transact/intents-submit.ts'
import { insertQuote } from '../../../../db/transact/quotes.ts'
import { newQuote } from '../../account/seed-quote.ts'

/** A quote as it is locked; a volatile one demands exactly the simulated output, as without slippage or before a bridge. */
interface Seeded {
  accountId: string
  isVolatile?: boolean
  recipient?: string
}

/** Writes a locked quote and gives its id. */
export async function seedLockedQuote(
  pool: CommonQueryMethods,
  { accountId, isVolatile = false, recipient = '0x01' }: Seeded,
): Promise<string> {
  const quote = newQuote(accountId)
  await insertQuote(pool, {
    ...quote,
    kind: isVolatile ? 'swap' : 'send',
    output: isVolatile ? { token: '0x03', expected: 9n, minimum: 9n } : null,
    isVolatile,
    recipient,
    expiresAt: new Date(Date.now() + 60_000),
  })
  return quote.id
}

let intentNonce = 0n

/**
 * Submits a quote with one unsigned intent and returns the quote's id. Seeds a new quote unless one is named.
 * @param seeded `alone`: submits only if the account has no other pending, else returns null. `isBare`: without the
 * intent, which a running service would try to send.
 */
export async function submitPlainly(
  pool: CommonQueryMethods,
  {
    quoteId,
    alone = false,
    isBare = false,
    ...seeded
  }: Seeded & { quoteId?: string; alone?: boolean; isBare?: boolean },
): Promise<string | null> {
  const { accountId, isVolatile = false, recipient = '0x01' } = seeded
  const id = quoteId ?? (await seedLockedQuote(pool, seeded))
  const most = alone ? 0 : 1_000
  const { outcome } = await submitIntents(
    pool,
    {
      quoteId: id,
      accountId,
      fromBlock: 0n,
      isVolatile,
      unpaidWindowMs: 1_000,
      others: { unpaid: most, underWay: most, alike: most },
      network: null,
      paidContact: recipient,
    },
    isBare
      ? []
      : [
          {
            id,
            place: 0,
            eoa: '0x0a',
            intentNonce: (intentNonce += 1n),
            encoded: '0x',
            combinedGas: 1n,
            transactionGas: 1n,
            delegation: null,
            expiresAt: new Date(Date.now() + 60_000),
            alone: false,
            delayMs: 0,
          },
        ],
  )
  return outcome === 'submitted' ? id : null
}
