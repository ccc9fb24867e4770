import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress, parseUnits, type Address, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { addressBalances } from '../../../../schema/account/balances/model.ts'
import { activities, activitySearchAnswer } from '../../../../schema/activity/model.ts'
import { relayStatus } from '../../../../schema/transact/submit-model.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { startSharedWorld, type SharedWorld } from './start-shared-world.ts'

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())

let world: SharedWorld
beforeAll(async () => {
  world = await startSharedWorld()
})
afterAll(() => world?.stop())

/** An address that begins and ends like another. */
function imitate(address: Address): Address {
  const digits = address.slice(2).toLowerCase().split('')
  const made = digits.map((digit, place) =>
    place < 6 || place >= 34 ? digit : (Number.parseInt(digit, 16) ^ 1).toString(16),
  )
  return getAddress(`0x${made.join('')}`)
}

const quote = (from: Address, destinationAddress: Address, amount = '3') =>
  world.alice.quote({
    token: world.dollar,
    amount: String(usd(amount)),
    destinationAddress,
    spendableAddresses: [from],
  })

async function untilEnded(quoteId: string): Promise<string> {
  for (;;) {
    const { status } = relayStatus.parse((await world.alice.get(`/relay-status/${quoteId}`)).body)
    if (status === 'confirmed' || status === 'failed') return status
    await sleep(50)
  }
}

/** Pays a recipient as wallets do, so that the account knows the address. */
async function payOnce(to: Address): Promise<void> {
  const { alice, dollar } = world
  const [from] = await alice.receiveAll(dollar, [usd('9')])
  const asked = await quote(from!, to)
  expect((await alice.post('/submit', await alice.sign(asked))).status).toBe(200)
  expect(await untilEnded(asked.quoteId)).toBe('confirmed')
  await waitUntilIndexed(world.service, world.payer)
}

/** How the service answers a quote to an address that imitates one that the account paid. */
async function expectRefused(alike: Address, known: Address): Promise<void> {
  const { alice, dollar } = world
  const [from] = await alice.receiveAll(dollar, [usd('9')])
  const refused = await alice.post('/quote', {
    type: 'send',
    chainId: world.chainId,
    token: dollar,
    amount: String(usd('1')),
    destinationAddress: alike,
    spendableAddresses: [from],
  })
  expect(refused).toMatchObject({ status: 409, body: { matchedAddress: known } })
}

const list = async () => activities.parse((await world.alice.get('/activities?limit=500')).body).activity
/** All that the activity says of an address. */
const textAbout = async (address: Address) =>
  JSON.stringify([
    (await world.alice.get('/activities?limit=500')).body,
    (await world.alice.post('/activities/search', { address })).body,
  ])
const search = async (address: Address) =>
  activitySearchAnswer.parse(
    (await world.alice.post('/activities/search', { address, include: { summary: true } })).body,
  )
const originOf = async (address: Address) => {
  const { addresses } = addressBalances.parse(
    (await world.alice.get(`/address-balances?address=${address}`)).body,
  )
  return addresses[0]?.balances.find(({ token }) => token === world.dollar)?.provenance
}
const itemOf = async (txHash: Hash): Promise<z.output<typeof activities>['activity'][number] | undefined> =>
  (await list()).find((item) => item.txHash === txHash)

test('a stranger whose intents share a transaction with a payment makes no address known, and acts for no other account', async () => {
  const { alice, dollar, payer, service } = world
  const known = somebody()
  await payOnce(known)
  const alike = imitate(known)
  await expectRefused(alike, known)

  const [from, paid] = await alice.receiveAll(dollar, [usd('20'), 0n])
  const recipient = somebody()
  const asked = await quote(from!, recipient)
  const signed = await alice.sign(asked)
  const before = await world.actAsStranger([world.claim(from!, alike)])
  const after = await world.actAsStranger(
    [world.claim(from!, alike), world.payDollars(paid!, usd('7')), world.claim(paid!, alike)],
    { dollars: usd('7') },
  )
  await world.ask('evm_setAutomine', false)
  expect((await alice.post('/submit', signed)).status).toBe(200)
  const hash = await world.execute([before, ...world.copyOf(signed), after])
  await world.ask('evm_setAutomine', true)
  await world.ask('evm_mine')
  const { logs } = await world.mined(hash)
  expect(logs.filter(({ address }) => address === world.liar.toLowerCase())).toHaveLength(3)
  expect(await untilEnded(asked.quoteId)).toBe('confirmed')
  await waitUntilIndexed(service, payer)

  await expectRefused(alike, known)
  // The account's own payment is known, whichever sender executed it.
  await expectRefused(imitate(recipient), recipient)

  const item = await itemOf(hash)
  expect(item).toMatchObject({
    kind: 'SEND',
    quoteId: asked.quoteId,
    fundingAddresses: [from],
    transfer: { fromAddress: from, toAddress: recipient, value: usd('3') },
  })
  expect(await textAbout(from!)).not.toContain(alike)
  expect(await search(alike)).toMatchObject({ activity: [], searchSummary: { interactionCount: 0 } })

  // The stranger's payment in it counts as a stranger's, and joins no addresses.
  const { activity } = await search(paid!)
  expect(activity[0]?.transfers).toContainEqual(expect.objectContaining({ toAddress: paid, value: usd('7') }))
  expect(await originOf(paid!)).toMatchObject({
    displayContext: { reason: 'fresh_receive' },
    association: { status: 'clean', summary: { sourceCount: 1 } },
    editableSource: { id: `receive:${paid}` },
  })
  expect(await originOf(from!)).toMatchObject({
    association: { status: 'clean', summary: { sourceCount: 1 } },
  })
})

test('a transaction that only claims a payment by the account is likely spam', async () => {
  const { alice, dollar, payer, service } = world
  const [from] = await alice.receiveAll(dollar, [usd('2')])
  const alike = somebody()
  const hash = await world.execute([await world.actAsStranger([world.claim(from!, alike)])])
  await world.mined(hash)
  await waitUntilIndexed(service, payer)
  const item = await itemOf(hash)
  expect(item).toMatchObject({ isLikelySpam: true, isExternal: false })
  expect(item?.fundingAddresses).toBeUndefined()
  expect(await search(alike)).toMatchObject({ activity: [], searchSummary: { interactionCount: 0 } })
})

test('a contract that logs before it executes a copied intent makes no address known', async () => {
  const { alice, dollar, payer, service } = world
  const known = somebody()
  await payOnce(known)
  const alike = imitate(known)
  const [from] = await alice.receiveAll(dollar, [usd('20')])
  const signed = await alice.sign(await quote(from!, somebody()))
  const hash = await world.execute(world.copyOf(signed), world.rideThrough(from!, alike))
  await world.mined(hash)
  await waitUntilIndexed(service, payer)
  await expectRefused(alike, known)
  expect(await textAbout(from!)).not.toContain(alike)
  expect(await search(alike)).toMatchObject({ activity: [], searchSummary: { interactionCount: 0 } })
})

test('a hostile token that the account itself sends makes only the signed recipient known', async () => {
  const { alice, payer, service, stranger, liar } = world
  const [known, friend, other] = [somebody(), somebody(), somebody()]
  await payOnce(known)
  const alike = imitate(known)
  const [byIntent, byKey] = await Promise.all([alice.client.receive(), alice.client.receive()])
  for (const call of [
    world.callLiar('mint', [byIntent.address, 10n]),
    world.callLiar('mint', [byKey.address, 10n]),
    world.callLiar('praise', [alike]),
  ])
    await world.mined(stranger.wallet.sender.sendTransaction({ to: call.to, data: call.data }))

  const keyOf = ({ nonce }: { nonce: string }) => alice.client.controlOf(nonce)
  const own = await world.act(keyOf(byIntent), [world.callLiar('transfer', [friend, 1n])])
  await world.mined(await world.execute([own]))
  await stranger.payNative(getAddress(byKey.address), 10n ** 18n)
  await world.mined(
    await world.senderOf(keyOf(byKey)).sendTransaction({
      to: liar,
      data: world.callLiar('transfer', [other, 1n]).data,
    }),
  )
  await waitUntilIndexed(service, payer)
  await expectRefused(alike, known)
  // The transaction names the recipient of its signer.
  await expectRefused(imitate(other), other)
  const [from] = await alice.receiveAll(world.dollar, [usd('9')])
  await expect(quote(from!, other, '1')).resolves.toMatchObject({ outputRecipient: other })
})
