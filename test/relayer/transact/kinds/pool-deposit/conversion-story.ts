import { expect } from 'vitest'
import type { SubmissionWorld } from '../../submissions/start-submission-world.ts'
import { openConversions } from './conversion-world.ts'

/**
 * Makes the given number of accounts deposit from several addresses each, by two services at once, in blocks that come
 * now and then. Afterwards each deposit was made once, and no transaction holds two addresses of one account.
 */
export async function conversionStory(
  world: SubmissionWorld,
  { accounts, addresses, spacingMs }: { accounts: number; addresses: number; spacingMs: number },
): Promise<void> {
  const conversions = await openConversions(world)
  const services = [
    await world.start(conversions.settings(spacingMs, { confirmations: 1 })),
    await world.start(conversions.settings(spacingMs, { confirmations: 1 })),
  ]
  const quotes = []
  for (let index = 0; index < accounts; index += 1)
    quotes.push(await conversions.convert(await conversions.openConverter(addresses)))
  await world.blocks.hold()
  world.blocks.keepMining()
  // Each is submitted to both, as a client does that had no answer from the first.
  await Promise.all(
    quotes.flatMap(({ accountId, submission }) =>
      services.map((service) => service.submit(accountId, submission)),
    ),
  )
  const ended = await world.settled()
  for (const { quoteId } of quotes) expect(ended.find(({ id }) => id === quoteId)!.status).toBe('confirmed')
  await world.blocks.stopMining()
  await world.blocks.release()
  await conversions.expectTrueDeposits()
  const deposits = await conversions.listOnChain()
  const own = new Set(quotes.flatMap(({ precommitments }) => precommitments))
  expect(deposits.filter(({ precommitment }) => own.has(precommitment))).toHaveLength(accounts * addresses)
}
