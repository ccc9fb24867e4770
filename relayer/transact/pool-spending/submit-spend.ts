import { FIELD_ORDER } from '../../../proving/field-element.ts'
import { listSpentNotes } from '../../../db/pool/book/note-progress.ts'
import { mixSpends, saveSpend } from '../../../db/pool/book/pool-spends.ts'
import { nullifierHashesOf } from '../../pool/book/settle-book.ts'
import type { ToldPart, ToldSpend } from '../../pool/book/book-content.ts'
import { sealSpend } from '../../pool/book/spend-record.ts'
import { badRequest } from '../../errors.ts'
import { noteSpent, quoteNotFound, quoteMismatch } from '../errors.ts'
import { stateByClock, quoteStep } from '../quotes/quote-machine.ts'
import { findSpend, spendStateOf } from './spend-progress.ts'
import type { SpendSubmission } from '../transact.ts'
import type { SpendingParts } from './spending-parts.ts'

/**
 * Writes the hashes that identify a spend's withdrawals into the book. The service sends nothing.
 * @throws ServiceError as {@link import('../transact.ts').Quotes.submit}.
 */
export async function submitSpend(
  { database, vault, books }: Pick<SpendingParts, 'database' | 'vault' | 'books'>,
  accountId: string,
  { quoteId, withdrawals }: SpendSubmission,
): Promise<void> {
  const found = await findSpend(books, accountId, quoteId)
  if (!found) throw quoteNotFound()
  const { pool } = found
  const key = { chainId: pool.chainId, pool: pool.address }
  await books.change(accountId, pool, async ({ content }, transaction) => {
    const spend = content.spends.find(({ id }) => id === quoteId)
    if (!spend) throw quoteNotFound()
    const parts = matchParts(spend, withdrawals)
    const { effect } = quoteStep(stateByClock(spendStateOf(spend), spend.until <= Date.now()), 'submit')
    if (effect === 'answer-again') {
      if (!isSame(spend.parts, parts)) throw quoteMismatch('withdrawals: others were submitted before')
      return { content: null, result: null }
    }
    const hashes = parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])
    const told = new Set(nullifierHashesOf(content))
    if (new Set(hashes).size < hashes.length || hashes.some((hash) => told.has(hash)))
      throw quoteMismatch('withdrawals: a nullifierHash is of another withdrawal')
    const [spent] = await listSpentNotes(transaction, key, hashes)
    if (spent) throw noteSpent()
    const submitted = { ...spend, parts }
    await saveSpend(transaction, accountId, await sealSpend(vault, accountId, pool, submitted))
    const spends = content.spends.map((one) => (one.id === quoteId ? submitted : one))
    return { content: { ...content, spends }, result: null }
  })
  await mixSpends(database, quoteId)
}

function matchParts({ parts }: ToldSpend, withdrawals: SpendSubmission['withdrawals']): ToldPart[] {
  const byId = new Map(withdrawals.map((withdrawal) => [withdrawal.commitmentId, withdrawal]))
  if (byId.size !== withdrawals.length || byId.size !== parts.length)
    throw quoteMismatch('withdrawals: exactly those of the quote are expected')
  return parts.map((part) => {
    const told = byId.get(noteIdOf(part))
    if (!told) throw quoteMismatch(`withdrawals: the one of ${noteIdOf(part)} is missing`)
    const { nullifierHash, newCommitment } = told
    for (const element of [nullifierHash, newCommitment])
      if (element <= 0n || element >= FIELD_ORDER)
        throw badRequest('withdrawals: a hash is an element of the field above zero')
    return { ...part, spentBy: { nullifierHash, newCommitment } }
  })
}

/** Returns the note's name, as in the account's commitments. */
const noteIdOf = ({ label, withdrawalIndex }: ToldPart): string =>
  withdrawalIndex === 0 ? String(label) : `${label}-${withdrawalIndex}`

const isSame = (one: readonly ToldPart[], other: readonly ToldPart[]): boolean =>
  one.every(({ spentBy }, place) => {
    const said = other[place]?.spentBy
    return spentBy?.nullifierHash === said?.nullifierHash && spentBy?.newCommitment === said?.newCommitment
  })
