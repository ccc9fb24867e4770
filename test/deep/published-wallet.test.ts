import { parseEther, parseUnits, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VETTING_FEE_BPS } from '../devnet/deploy/devnet-assets.ts'
import { openPublishedWorld, somebody, type PublishedWorld } from '../e2e/open-published-world.ts'

let world: PublishedWorld
beforeAll(async () => {
  world = await openPublishedWorld()
})
afterAll(() => world?.stop())

describe('the published library of a wallet', () => {
  it('deposits coins and withdraws all of them through the relayer, in two parts', async () => {
    const pool = world.poolOf('ETH')
    const gross = parseEther('1')
    const deposited = await world.shield(pool, gross)
    expect(deposited.balance).toBe(gross - (gross * VETTING_FEE_BPS) / 10_000n)

    const part = deposited.balance / 3n
    const fee = await world.unshield(pool, part)
    expect(await world.wallet.plugin.notes([pool.asset])).toMatchObject([
      { label: deposited.label, balance: deposited.balance - part, withdraw: 1, approved: true },
    ])
    const lastFee = await world.unshield(pool, deposited.balance - part)
    expect(await world.wallet.plugin.notes([pool.asset])).toEqual([])
    expect(await world.wallet.plugin.balance([pool.asset])).toMatchObject([{ amount: 0n }, { amount: 0n }])
    expect(await world.readBooks(pool)).toEqual({
      relays: 2,
      withdrawn: deposited.balance,
      feeReceived: fee + lastFee,
    })
  })

  it('is refused a second withdrawal of a note of tokens, and gets the answer to the first one again', async () => {
    const pool = world.poolOf('TUSD')
    const gross = parseUnits('1000', 6)
    await world.approve(pool, gross)
    const { balance } = await world.shield(pool, gross)
    const prepare = (to: Address) =>
      world.wallet.plugin.prepareUnshield({ asset: pool.asset, amount: balance }, to)
    // Both are proven before the chain shows that the note is spent.
    const [recipient, other] = [somebody(), somebody()]
    const [first, second] = [await prepare(recipient), await prepare(other)]
    const { answer, fee } = await world.withdraw(pool, first, recipient)
    await expect(world.wallet.broadcaster.broadcast(second)).rejects.toThrow(/^NULLIFIER_ALREADY_SPENT: /)
    expect(await world.balanceOf(pool, other)).toBe(0n)
    const repeated = await world.wallet.broadcaster.broadcast(first)
    expect(repeated).toMatchObject({ requestId: answer.requestId, txHash: answer.txHash })
    expect(await world.readBooks(pool)).toEqual({ relays: 1, withdrawn: balance, feeReceived: fee })
  })
})
