import { zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import type { Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openDepositor } from '../kinds/pool-recover/open-depositor.ts'
import type { Spender } from './open-spender.ts'

/** Runs after a reported spend of its first note was confirmed; the second is as deposited, and less afterwards. */
export function testSettling(story: () => { owner: Spender; service: TestService; payer: Payer }): void {
  it("a wallet's settlement only lowers its own deposits, and all of it applies or nothing", async () => {
    const { owner, service, payer } = story()
    const settle = (...notes: { commitmentId: string; withdrawalIndex: number; value: string }[]) =>
      owner.put<{ commitments?: object[]; code?: string }>('/pool/commitments', {
        chainId: 31_337,
        token: zeroAddress,
        notes,
      })
    const [spent, whole] = owner.notes.map(({ note }) => ({
      commitmentId: String(note.label),
      withdrawalIndex: 1,
      value: String(note.value - 1n),
    }))
    const refused = { status: 400, body: { code: 'SETTLEMENT_REFUSED' } }
    const before = String((await owner.pooled())['available'])
    // The chain has shown the remainder of the reported spend.
    expect(await settle(spent!)).toMatchObject(refused)
    expect(await settle({ ...spent!, withdrawalIndex: 2 })).toMatchObject(refused)
    expect(await settle({ ...whole!, value: String(owner.notes[1]!.note.value + 1n) })).toMatchObject(refused)
    expect(await settle({ ...whole!, withdrawalIndex: 0 })).toMatchObject(refused)
    expect(await settle(whole!, whole!)).toMatchObject(refused)
    expect(await settle(whole!, { ...whole!, commitmentId: '5' })).toMatchObject({
      status: 404,
      body: { code: 'COMMITMENT_NOT_FOUND' },
    })
    const stranger = await openDepositor(service, payer)
    expect(
      await stranger.put('/pool/commitments', { chainId: 31_337, token: zeroAddress, notes: [whole] }),
    ).toMatchObject({ status: 404, body: { code: 'COMMITMENT_NOT_FOUND' } })
    for (const bad of [
      [],
      Array(101).fill(whole),
      [{ ...whole, value: '-1' }],
      [{ ...whole, withdrawalIndex: 0.5 }],
    ])
      expect(await settle(...(bad as never[]))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect((await owner.pooled())['available']).toBe(before)

    const answers = await Promise.all([settle(whole!), settle(whole!), settle(whole!)])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.commitments).toContainEqual(
        expect.objectContaining({
          id: `${whole!.commitmentId}-1`,
          value: whole!.value,
          commitment: null,
          known: 'settled',
        }),
      )
    }
    expect((await owner.pooled())['available']).toBe(String(BigInt(before) - 1n))
    expect(await settle({ ...whole!, value: '5' })).toMatchObject(refused)
  })
}
