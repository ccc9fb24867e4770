import {
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  getContractAddress,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  type Address,
} from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { computeAddresses } from '../../../../devnet/deploy/devnet-addresses.ts'
import { connectWallet } from '../../../../devnet/wallet/connect-wallet.ts'
import { askService } from '../../../../../schema/client/requests/ask-service.ts'
import type { Client } from '../../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { signUnchecked, submitUnchecked } from '../../../../harness/sign-unchecked.ts'
import { expectNothingLeaked } from '../../../../harness/expect-nothing-leaked.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { ORIGIN, somebody, startAppWorld, type AppWorld } from './start-app-world.ts'

const CHAIN = 31_337
const { deployer, clients } = deriveAccounts()
const { collectible } = computeAddresses(deployer.address, CHAIN)
const { AppParty } = compileSolidity(new URL('AppParty.sol', import.meta.url))
const appOwner = clients[6]!
/** The first contract that its owner will create. */
const app = getContractAddress({ from: appOwner.address, nonce: 0n })
const appAbi = parseAbi(['function charge(uint256)', 'function buy(address)'])

let world: AppWorld
let owner: Client
let address: Address

/** The account's one address, which the app knows, has coins and 100 of the token. */
beforeAll(async () => {
  world = await startAppWorld([], { collectibles: [{ chainId: CHAIN, contract: collectible }] })
  const { sender, reader } = connectWallet(world.payer.chain, appOwner.privateKey)
  await reader.waitForTransactionReceipt({ hash: await sender.deployContract({ ...AppParty!, args: [] }) })
})
beforeEach(async () => {
  ;({ owner, address } = await world.openConnected(ORIGIN))
  await world.payer.payToken(world.token, address, 100n)
  await waitUntilIndexed(world.service, world.payer)
})
afterAll(async () => {
  if (world) await expectNothingLeaked(world.service.database.pool)
  await world?.service.stop()
})

const transfer = (amount: bigint) => ({
  to: world.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [somebody(), amount] }),
})
const approve = (amount: bigint) => ({
  to: world.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [app, amount] }),
})
const buy = () => ({
  to: app,
  data: encodeFunctionData({ abi: appAbi, functionName: 'buy', args: [world.token] }),
})
async function charge(amount: bigint): Promise<void> {
  const { sender, reader } = connectWallet(world.payer.chain, appOwner.privateKey)
  const hash = await sender.writeContract({
    address: app,
    abi: appAbi,
    functionName: 'charge',
    args: [amount],
  })
  await reader.waitForTransactionReceipt({ hash })
}
const call = (calls: readonly object[], changes: Record<string, unknown> = {}) =>
  world.ask(owner, address, { calls, ...changes })
/** Another app call of the address, which takes this amount of the token. */
const take = (amount: bigint) => call([transfer(amount)])
const unlock = ({ quoteId }: Quote) =>
  owner.ask('POST', `/v1/accounts/${owner.accountId}/unlock`, { quoteId })
const visible = async () => {
  const path = `/v1/accounts/${owner.accountId}/balance/${CHAIN}/${world.token}`
  const { visible: held } = await owner.ask<{ visible: { available: string; pending: string } }>('GET', path)
  return { available: held.available, pending: held.pending }
}

test('the assets that an app’s call moves are locked until its quote ends, and no other quote spends them', async () => {
  const quote = await take(60n)
  expect(await visible()).toEqual({ available: '37', pending: '63' })
  await expect(take(38n)).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  const beside = await take(30n)
  await expect(take(8n)).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await unlock(beside)
  await unlock(quote)
  expect(await visible()).toEqual({ available: '100', pending: '0' })
  const all = await take(100n)
  await submitUnchecked(owner, all)
  await expect.poll(visible).toEqual({ available: '0', pending: '0' })
})

test('an app’s call that moves funds locked by another quote is refused, whatever token pays its fee', async () => {
  const send = await owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/quote`, {
    type: 'send',
    chainId: CHAIN,
    token: zeroAddress,
    amount: String(parseEther('0.9')),
    destinationAddress: somebody(),
  })
  await expect(call([{ to: somebody(), value: String(parseEther('0.5')) }])).rejects.toThrow(
    'QUOTE_LOCK_CONFLICT',
  )
  await unlock(send)
  const rich = 10_000_000n
  await world.payer.payToken(world.token, address, rich)
  await waitUntilIndexed(world.service, world.payer)
  const half = await call([transfer(rich / 2n)], { token: world.token })
  expect(BigInt((await visible()).pending)).toBe(BigInt(half.fees.total) + rich / 2n + rich / 40n)
  await expect(call([transfer(rich / 2n)], { token: world.token })).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await submitUnchecked(owner, half)
})

test('an app’s call that approves a spender for funds locked by another quote is refused', async () => {
  const quote = await take(60n)
  await expect(call([approve(maxUint256)])).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await unlock(await call([approve(30n)]))
  await expect(call([approve(30n), transfer(30n)])).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await unlock(quote)
  await unlock(await call([approve(maxUint256)]))
})

test('a call that takes more at submission has to be refreshed, and then has that amount locked', async () => {
  await charge(20n)
  await submitUnchecked(owner, await call([approve(maxUint256)]))
  await waitUntilIndexed(world.service, world.payer)
  const quote = await call([buy()])
  expect(await visible()).toEqual({ available: '79', pending: '21' })
  await charge(22n)
  const submit = async (one: Quote) =>
    owner.ask('POST', `/v1/accounts/${owner.accountId}/submit`, await signUnchecked(owner, one))
  await expect(submit(quote)).rejects.toThrow('QUOTE_REFRESH_REQUIRED')
  const refreshed = await askService<Quote>(
    world.service.url,
    'POST',
    `/v1/accounts/${owner.accountId}/quotes/${quote.quoteId}/refresh`,
    {},
    { headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': quote.quoteId } },
  )
  expect(await visible()).toEqual({ available: '77', pending: '23' })
  await submitUnchecked(owner, refreshed)
  await expect.poll(visible).toEqual({ available: '78', pending: '0' })
})

test('a collectible leaves by one quote at a time, an app’s call or a withdrawal', async () => {
  const tokenId = 7_001n
  await world.payer.mintCollectible(collectible, address, tokenId)
  await waitUntilIndexed(world.service, world.payer)
  await owner.ask('POST', `/v1/accounts/${owner.accountId}/collectible/verify`)
  const withdraw = () =>
    owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/collectible/withdraw`, {
      chainId: CHAIN,
      depositAddress: address,
      recipientAddress: somebody(),
      tokenId: String(tokenId),
    })
  const sell = () =>
    call([
      {
        to: collectible,
        data: encodeFunctionData({
          abi: erc721Abi,
          functionName: 'transferFrom',
          args: [address, somebody(), tokenId],
        }),
      },
    ])
  const allow = () =>
    call([
      {
        to: collectible,
        data: encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args: [app, true] }),
      },
    ])
  const withdrawal = await withdraw()
  await expect(sell()).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await expect(allow()).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await unlock(withdrawal)
  const sale = await sell()
  await expect(withdraw()).rejects.toThrow('COLLECTIBLE_UNDER_WAY')
  await expect(sell()).rejects.toThrow('QUOTE_LOCK_CONFLICT')
  await unlock(sale)
  await submitUnchecked(owner, await sell())
})
