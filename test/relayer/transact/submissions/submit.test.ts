import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningSubmissions } from './start-submissions.ts'
import { startSubmissionWorld, type SubmissionWorld } from './submission-world.ts'

let world: SubmissionWorld
let service: RunningSubmissions
beforeAll(async () => {
  world = await startSubmissionWorld()
  service = await world.start()
})
afterAll(() => world.stop())

describe('a good submission', () => {
  it('is sent, confirmed, and gives its reservations back; again it is the same', async () => {
    const quote = await world.quote(await world.openSender(3))
    const answer = await service.submit(quote.accountId, quote.submission)
    expect(answer).toMatchObject({ quoteId: quote.quoteId, status: 'submitted' })
    await world.settled()
    const again = await service.submit(quote.accountId, quote.submission)
    expect(again).toEqual(answer)
    expect(await service.relayStatus(quote.accountId, quote.quoteId)).toMatchObject({
      status: 'confirmed',
      txHash: answer.txHash,
      confirmedTxHash: answer.txHash,
      error: null,
    })
    await world.expectTrueLedger()
  })

  it('that arrives many times at once is sent once', async () => {
    const quote = await world.quote(await world.openSender())
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.submit(quote.accountId, quote.submission)),
    )
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(1)
    await world.settled()
    await world.expectTrueLedger()
  })
})
