import { numberToHex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { controlBlocks } from '../../../harness/control-blocks.ts'
import {
  collectible,
  liar,
  liarOwner,
  parties,
  somebody,
  WAIVED,
  type CollectibleWorld,
} from './open-collectible-world.ts'

/** Recipients that revert, burn gas, or re-enter. */
export async function meetHostileRecipients(world: CollectibleWorld): Promise<void> {
  const { service, payer, newId, ownerOf, waiverOf, sumOf, deployRecipient } = world
  const holder = await world.openHolder()
  const id = newId()
  const beside = id + 1n
  const depositAddress = await holder.mint(collectible, id)
  await payer.mintCollectible(collectible, depositAddress, beside)
  await waitUntilIndexed(service, payer)
  expect((await holder.verify()).deposits).toHaveLength(2)
  const accomplice = somebody()
  const withdraw = async (mode: number) => {
    const recipient = await deployRecipient(mode, accomplice)
    const answer = await holder.withdraw({
      depositAddress,
      recipientAddress: recipient,
      tokenId: String(id),
      acknowledgedContractRecipient: recipient,
    })
    return { recipient, ...answer }
  }
  expect(await withdraw(1)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  expect(await withdraw(3)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })

  // One that reverts only once it is signed: it is refused before anything is sent.
  const turning = await withdraw(0)
  expect(turning.status, JSON.stringify(turning.body)).toBe(200)
  const hash = await payer.wallet.sender.writeContract({
    address: turning.recipient,
    abi: parties['Recipient']!.abi,
    functionName: 'turn',
    args: [1],
  })
  await payer.wallet.reader.waitForTransactionReceipt({ hash })
  expect(await holder.submit(turning.body)).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED' },
  })
  await holder.post('/unlock', { quoteId: turning.body.quoteId })
  expect(await sumOf('gas_at_risk')).toBe(0n)

  const entering = await withdraw(2)
  expect(entering.status, JSON.stringify(entering.body)).toBe(200)
  expect(await holder.submit(entering.body)).toMatchObject({ status: 200 })
  await holder.until(entering.body.quoteId, 'confirmed')
  expect(await ownerOf(id)).toBe(accomplice)
  expect(await ownerOf(beside)).toBe(depositAddress)
  await waitUntilIndexed(service, payer)
  expect(await waiverOf(holder)).toEqual(WAIVED)
}

/** A recipient that accepts until the intent is on its way. */
export async function meetTurningRecipient(world: CollectibleWorld): Promise<void> {
  const { service, payer, newId, ownerOf, waiverOf, sumOf, deployRecipient } = world
  const holder = await world.openHolder()
  const id = newId()
  const depositAddress = await holder.mint(collectible, id)
  await holder.verify()
  const recipient = await deployRecipient(0, zeroAddress)
  const asked = {
    depositAddress,
    recipientAddress: recipient,
    tokenId: String(id),
    acknowledgedContractRecipient: recipient,
  }
  const { body: quote } = await holder.withdraw(asked)
  const lost = await sumOf('gas_lost')
  const { reader } = payer.wallet
  const blocks = controlBlocks((method, ...params) => reader.request({ method, params } as never))
  await blocks.hold()
  try {
    expect(await holder.submit(quote)).toMatchObject({ status: 200 })
    const mode = numberToHex(1, { size: 32 })
    await reader.request({ method: 'anvil_setStorageAt', params: [recipient, '0x0', mode] } as never)
    await blocks.mine()
    await holder.until(quote.quoteId, 'failed')
  } finally {
    await blocks.release()
  }
  expect(await sumOf('gas_lost')).toBeGreaterThan(lost + 50_000n)
  expect(await sumOf('gas_at_risk')).toBe(0n)
  expect(await ownerOf(id)).toBe(depositAddress)
  await waitUntilIndexed(service, payer)
  expect(await waiverOf(holder)).toEqual(WAIVED)
  expect(await holder.withdraw({ ...asked, recipientAddress: somebody() })).toMatchObject({
    status: 400,
    body: { code: 'COLLECTIBLE_WITHDRAWN_LATELY' },
  })
}

/** Meets a collection whose contract lies at will. */
export async function meetLyingContract(world: CollectibleWorld): Promise<void> {
  const { service, payer } = world
  const { abi, bytecode } = parties['LyingCollectible']!
  const wallet = connectWallet(payer.chain, liarOwner.privateKey)
  const run = async (functionName: string, args: readonly unknown[]) => {
    const hash = await wallet.sender.writeContract({ address: liar, abi, functionName, args })
    await wallet.reader.waitForTransactionReceipt({ hash })
    await waitUntilIndexed(service, payer)
  }
  const deployed = await wallet.sender.deployContract({ abi, bytecode })
  await wallet.reader.waitForTransactionReceipt({ hash: deployed })
  const holder = await world.openHolder()
  const { address } = await holder.receive()
  // Its logs say that it sent a token, and its answers that another address has it.
  await run('claim', [zeroAddress, address, 1n])
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  // It refuses to say who owns it.
  await run('refuse', [true])
  await run('claim', [zeroAddress, address, 1n])
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  await run('refuse', [false])
  await run('say', [1n, address])
  // The indexer asks once the contract logs something.
  await run('claim', [zeroAddress, address, 1n])
  expect((await holder.verify()).deposits).toHaveLength(1)
  const answer = await holder.withdraw({
    depositAddress: address,
    recipientAddress: somebody(),
    tokenId: '1',
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
}
