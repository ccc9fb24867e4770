import { readFile } from 'node:fs/promises'
import { parseEther, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VETTING_FEE_BPS } from '../devnet/deploy/devnet-assets.ts'
import { circuitFile } from '../devnet/wallet/circuit-files.ts'
import { publishedCircuitFile } from '../harness/open-published-wallet.ts'
import { openPublishedWorld, somebody, type PublishedWorld } from './open-published-world.ts'

let world: PublishedWorld
beforeAll(async () => {
  world = await openPublishedWorld()
})
afterAll(() => world?.stop())

/** Each proof costs six seconds of a core: tokens, and a note withdrawn in two parts, are in test/deep. */
describe('the published library of a wallet', () => {
  it.each(['withdraw', 'commitment'])('proves %s by the circuit of the devnet', async (circuit) => {
    for (const kind of ['wasm', 'zkey', 'vkey'] as const) {
      const [ours, theirs] = [
        circuitFile(circuit as 'withdraw', kind),
        publishedCircuitFile(`${circuit}.${kind}`),
      ]
      expect((await readFile(ours)).equals(await readFile(theirs)), kind).toBe(true)
    }
  })

  it('withdraws a part through the relayer, is refused a second withdrawal, and gets the answer to the first again', async () => {
    const pool = world.poolOf('ETH')
    const gross = parseEther('1')
    const deposited = await world.shield(pool, gross)
    expect(deposited.balance).toBe(gross - (gross * VETTING_FEE_BPS) / 10_000n)

    const part = deposited.balance / 3n
    const prepare = (to: Address) =>
      world.wallet.plugin.prepareUnshield({ asset: pool.asset, amount: part }, to)
    // Both are proven before the chain shows that the note is spent.
    const [recipient, other] = [somebody(), somebody()]
    const [first, second] = [await prepare(recipient), await prepare(other)]
    const { answer, fee } = await world.withdraw(pool, first, recipient)
    expect(await world.wallet.plugin.notes([pool.asset])).toMatchObject([
      { label: deposited.label, balance: deposited.balance - part, withdraw: 1, approved: true },
    ])
    await expect(world.wallet.broadcaster.broadcast(second)).rejects.toThrow(/^NULLIFIER_ALREADY_SPENT: /)
    expect(await world.balanceOf(pool, other)).toBe(0n)
    const repeated = await world.wallet.broadcaster.broadcast(first)
    expect(repeated).toMatchObject({ requestId: answer.requestId, txHash: answer.txHash })
    expect(await world.readBooks(pool)).toEqual({ relays: 1, withdrawn: part, feeReceived: fee })
  })
})
