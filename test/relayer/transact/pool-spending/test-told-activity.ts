import { parseEther, zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import type { activities, activitySearchAnswer } from '../../../../schema/activity/model.ts'
import type { pendingActivities } from '../../../../schema/activity/pending-operations.ts'
import type { Payer } from '../../../harness/chain-actors.ts'
import type { Spender, SpendQuote } from './open-spender.ts'

/** The spend of that quote as `activities/pending` has it. */
export const pendingOf = async (owner: Spender, quoteId: string) =>
  (await owner.get<z.input<typeof pendingActivities>>('/activities/pending')).body.pending.find(
    (one) => one.quoteId === quoteId,
  )

/** The same in `activities`. */
export const listedOf = async (owner: Spender, quoteId: string) =>
  (await owner.get<z.input<typeof activities>>('/activities')).body.activity.find(
    (one) => one.quoteId === quoteId,
  )

/** Runs after one reported spend to the recipient was confirmed; its note and another are free. */
export function testToldActivity(story: () => { owner: Spender; payer: Payer; recipient: Address }): void {
  it("activity shows a reported spend by the chain's data, without its recipient", async () => {
    const { owner, payer, recipient } = story()
    const { body } = await owner.get<z.input<typeof activities>>('/activities?limit=1')
    const [newest] = body.activity
    expect(newest).toMatchObject({
      kind: 'INCOGNITO_SEND',
      executionStatus: 'succeeded',
      lifecycle: { state: 'indexed' },
      transfer: {
        fromAddress: owner.notes[0]!.pool,
        toAddress: zeroAddress,
        tokenSymbol: 'ETH',
        // The service does not join a note with the deposit that it came from.
        provenance: { status: 'unavailable', unresolvedReasons: ['pool_spend'], editableSource: null },
      },
      sourceProvenance: { unresolvedReasons: ['pool_spend'], funding: { labelGroupId: null } },
    })
    const { quoteId } = newest!
    const relayed = await owner.statusOf(quoteId!)
    expect([newest!.txHash, newest!.txHashes]).toEqual([relayed.txHash, [relayed.txHash]])
    const reader = payer.wallet.reader
    const got = await reader.getBalance({ address: recipient })
    expect(newest!.transfer!.value).toBe(String(got))
    expect(JSON.stringify(body)).not.toMatch(/a11ce/i)

    // Page by page the list is the same as at once.
    const { body: whole } = await owner.get<z.input<typeof activities>>('/activities')
    expect(whole.activity.filter((one) => one.quoteId === quoteId)).toHaveLength(1)
    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: z.input<typeof activities> } = await owner.get(
        `/activities?limit=1${cursor && `&cursor=${cursor}`}`,
      )
      paged.push(...page.body.activity)
      cursor = page.body.pagination.nextCursor
    }
    expect(paged).toEqual(whole.activity)

    const search = (address: string) =>
      owner.post<z.input<typeof activitySearchAnswer>>('/activities/search', {
        address,
        include: { summary: true },
      })
    const { body: found } = await search(zeroAddress)
    expect(found.activity.map((one) => one.quoteId)).toEqual([quoteId])
    expect(found.searchSummary).toMatchObject({ interactionCount: 1, chainIds: [31_337] })
    expect((await search(recipient)).body).toMatchObject({
      activity: [],
      searchSummary: { interactionCount: 0 },
    })
    expect(await pendingOf(owner, quoteId!)).toMatchObject({
      lifecycle: { state: 'indexed', relayStatus: 'confirmed' },
    })
    const { body: stand } = await owner.post<{ statuses: unknown[] }>('/activities/pending/status', {
      quoteIds: [quoteId],
    })
    expect(stand.statuses).toMatchObject([
      { quoteId, txHash: relayed.txHash, lifecycle: { state: 'indexed' } },
    ])
  })

  it('of submits that meet one counts, and no hash is reported twice', async () => {
    const { owner } = story()
    const quote = async () =>
      (await owner.quote({ type: 'incognito_send', amount: String(parseEther('0.1')), ttl: 10 })).body
    const [first, second] = [await quote(), await quote()]
    const submit = (
      { quoteId, withdrawals: [planned] }: SpendQuote,
      nullifierHash: string,
      newCommitment: string,
    ) =>
      owner.post<{ code?: string }>('/submit', {
        quoteId,
        withdrawals: [{ commitmentId: planned!.commitmentId, nullifierHash, newCommitment }],
      })
    const answers = await Promise.all([submit(first, '101', '201'), submit(first, '102', '202')])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 400)?.body.code).toBe('QUOTE_MISMATCH')
    const told = answers[0].status === 200 ? '101' : '102'
    expect((await submit(second, told, '203')).body.code).toBe('QUOTE_MISMATCH')
    expect(await owner.post('/unlock', { quoteId: second.quoteId })).toMatchObject({ status: 200 })
    expect(await listedOf(owner, first.quoteId)).toBeUndefined()
    expect(await pendingOf(owner, first.quoteId)).toMatchObject({ executionStatus: 'pending', txHash: null })
  })
}
