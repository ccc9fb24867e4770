import type { Client } from '../../schema/client/account/open-client.ts'
import { subscribe } from '../../test/harness/subscribe.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

/** The most that an account may have at once. */
const STREAMS = 20
/** Changes of a sample: an address is skipped, and restored. */
const CHANGES = 4

interface Reviewed {
  address: string
  lastReceivedAt: string
  rawReceiveCount: number
}

/** Cost of a change of the review with one stream of its account, and with twenty. */
export async function benchReviewStreams(
  settings: Settings,
  { url, readCpu }: { url: string; readCpu: () => Promise<number> },
  { accountId, token, ask }: Client,
): Promise<UnratedRow[]> {
  settings.tell(`a review that ${STREAMS} streams follow`)
  const home = `/v1/accounts/${accountId}/deposit-review`
  const { items } = await ask<{ items: Reviewed[] }>('GET', `${home}?limit=1`)
  const [first] = items
  if (!first) throw new Error('there is nothing to review')
  const { address, lastReceivedAt, rawReceiveCount } = first
  const path = `${home}/skipped/${address}`
  const query = `subscription { depositReviewChanged(accountId: "${accountId}") { counts { skipped } } }`

  async function measure(count: number): Promise<Sample> {
    const streams = await Promise.all(Array.from({ length: count }, () => subscribe(url, query, token)))
    const untilTold = () => Promise.all(streams.map((stream) => stream.next()))
    // The first event is the present state.
    await untilTold()
    const sample = await takeSample(readCpu, CHANGES, async () => {
      for (let change = 0; change < CHANGES; change += 1) {
        if (change % 2 === 0) await ask('PUT', path, { lastReceivedAt, rawReceiveCount })
        else await ask('DELETE', path)
        await untilTold()
      }
    })
    for (const stream of streams) stream.leave()
    return sample
  }

  const alone: Sample[] = []
  const many: Sample[] = []
  for (let round = -1; round < settings.rounds; round += 1) {
    const samples = [await measure(1), await measure(STREAMS)] as const
    // The first round warms up.
    if (round < 0) continue
    alone.push(samples[0])
    many.push(samples[1])
  }
  const named = { baseline: null, compared: 'cpu' } as const
  return [
    summarize({ ...named, name: 'holdings.reviewChange' }, alone),
    {
      ...summarize({ ...named, name: 'holdings.reviewChangeOf20', baseline: 'holdings.reviewChange' }, many),
      note: `told to ${STREAMS} streams of depositReviewChanged`,
    },
  ]
}
