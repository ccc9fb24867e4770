import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOf, freshAddress, startAcrossWorld, timeOf } from './start-across-world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'across-restart-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a devnet that is stopped and resumed keeps its bridge: open deposits are filled, refunds stay paid, no clock runs back', async () => {
  const recipient = freshAddress()
  const ask = { token: zeroAddress, amount: parseEther('1'), recipient }
  let refunded, open, before
  {
    await using world = await startAcrossWorld({ acrossDelaySeconds: 3_600 }, { folder, isNew: false })
    const made = await world.deposit({ ...ask, fillSeconds: 300 })
    refunded = made
    await expect.poll(() => world.stateOf(made)).toBe('open')
    expect(await world.tell('expire', refunded)).toMatchObject({ status: 200 })
    expect(await world.tell('refund', refunded)).toMatchObject({ status: 200 })
    open = await world.deposit(ask)
    before = { time: await timeOf(world.destination.wallet), across: world.destination.across }
  }
  await using world = await startAcrossWorld({}, { folder })
  expect(world.destination.across).toEqual(before.across)
  await expect.poll(() => world.stateOf(open)).toBe('filled')
  expect(await world.stateOf(refunded)).toBe('expired')
  expect(await balanceOf(world.destination, zeroAddress, recipient)).toBe(open.outputAmount)
  expect(await timeOf(world.destination.wallet)).toBeGreaterThan(before.time)
  expect(await world.tell('refund', refunded)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('was paid back by 0x') as unknown },
  })
})
