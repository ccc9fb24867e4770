import { readFileSync } from 'node:fs'
import { getAddress, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { knownOf } from './examples/demo/known-of.ts'
import * as recipes from './examples/recipes.ts'

let service: TestService
let payer: Payer
beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 3)
})
afterAll(() => service?.stop())

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the README of the client package has ten recipes, each quoted from a file that a test runs', () => {
  const lines = new Set(read('examples/recipes.ts').split('\n'))
  const blocks = [...read('../../schema/client/README.md').matchAll(/```ts\n([\s\S]*?)```/g)]
  expect(blocks).toHaveLength(10)
  const quoted = blocks.flatMap(([, text = '']) => text.trimEnd().split('\n'))
  expect(quoted.filter((line) => !lines.has(line))).toEqual([])
})

test('the ten recipes of the client package run', async () => {
  const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const { chain } = payer
  const known = { ...knownOf(chain), wrapped: chain.wrappedNative, router: chain.uniswap.router }
  const friend = getAddress(privateKeyToAddress(generatePrivateKey()))
  const { chainId } = chain

  const client = await recipes.openAccount(service.url, keys, known)
  const leave = new AbortController()
  const change = recipes.nextChange(client, leave.signal)
  const shown = []
  for (let count = 0; count < 3; count += 1) {
    const { address, account } = await recipes.receivePayment(client)
    expect(account.address).toBe(address)
    await payer.payNative(address, parseEther('1'))
    shown.push(address)
  }
  await waitUntilIndexed(service, payer)
  expect(await change).toMatchObject({ chainId })
  expect(await recipes.readBalances(client, chainId)).toEqual([`${parseEther('3')} ETH`])

  const paid = await recipes.pay(client, chainId, friend, parseEther('0.5'))
  expect(BigInt(paid.fee)).toBeGreaterThan(0n)
  expect(await recipes.payInSteps(client, chainId, friend, parseEther('0.25'))).toMatchObject({
    success: true,
  })
  expect(await recipes.explainRefusal(client, chainId, friend)).toMatchObject({ retry: 'changed' })
  expect(await recipes.wrapCoin(client, known, parseEther('0.25'))).toMatch(/^0x[0-9a-f]{64}$/)

  const { quoteId } = await client.call('createQuote', {
    body: { type: 'send', chainId, token: zeroAddress, amount: '1', destinationAddress: friend },
  })
  expect(await recipes.remember(client, keys, friend, quoteId)).toBe('for the tickets')
  const { addresses, mnemonic } = recipes.comeBack(client, keys, 77n)
  expect(addresses.map(({ address }) => address)).toEqual(shown)
  expect(mnemonic.split(' ')).toHaveLength(12)
  leave.abort()
})
