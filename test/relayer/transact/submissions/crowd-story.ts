import { expect } from 'vitest'
import type { RunningSubmissions } from './start-submissions.ts'
import type { SubmissionWorld } from './start-submission-world.ts'

export interface CrowdGas {
  transactions: number
  /** Gas of all transactions divided by the number of intents. */
  perIntent: number
  /** Gas of a transaction with a single intent. */
  alone: number
  ratio: number
}

/**
 * Many accounts of one address each submit at once; afterwards the ledger must match the chain. All senders delegate and all
 * recipients are new, so that every payment costs the same.
 */
export async function crowdStory(
  world: SubmissionWorld,
  services: readonly RunningSubmissions[],
  accounts: number,
): Promise<CrowdGas> {
  const sendAlone = async () => {
    const lone = await world.quote(await world.openSender())
    await services[0]!.submit(lone.accountId, lone.submission)
    await world.settled()
    return lone
  }
  // The first payment is dearer because the fee receiver has no balance before it.
  await sendAlone()
  const lone = await sendAlone()

  const quotes = []
  for (let index = 0; index < accounts; index += 1) quotes.push(await world.quote(await world.openSender()))
  await Promise.all(
    quotes.map(({ accountId, submission }, index) =>
      services[index % services.length]!.submit(accountId, submission),
    ),
  )
  const ended = await world.settled()
  for (const { quoteId } of quotes) expect(ended.find(({ id }) => id === quoteId)!.status).toBe('confirmed')
  await world.expectTrueLedger()

  const rows = await world.intentRows()
  const gasOf = async (quoteIds: ReadonlySet<string>) => {
    const hashes = new Set(rows.filter(({ quoteId }) => quoteIds.has(quoteId)).map(({ txHash }) => txHash!))
    const receipts = await Promise.all(
      [...hashes].map((hash) => world.reader.getTransactionReceipt({ hash: hash as `0x${string}` })),
    )
    return { count: hashes.size, gas: Number(receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)) }
  }
  const alone = (await gasOf(new Set([lone.quoteId]))).gas
  const { count, gas } = await gasOf(new Set(quotes.map(({ quoteId }) => quoteId)))
  const perIntent = gas / accounts
  return { transactions: count, perIntent, alone, ratio: perIntent / alone }
}
