import { createPublicClient, createWalletClient, getAddress, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveAccounts } from '../devnet/accounts.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openClient } from '../../schema/client/account/open-client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

/** p_spend and p_view of the published vectors. */
const VECTOR = { spendKey: `0x${'11'.repeat(32)}`, viewKey: `0x${'22'.repeat(32)}` } as const

test('a client signs in, creates its account and is paid where the vectors say', async () => {
  const client = await openClient({ url: service.url, ...VECTOR })
  const received = [await client.receive(), await client.receive()]
  expect(received).toMatchObject(
    [
      {
        address: '0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de',
        nonce: '0',
        reused: false,
        limitResetsAt: null,
      },
      {
        address: '0x2D82006abb3b9C139dcE04954dBBE1AD7d555EE7',
        nonce: '1',
        reused: false,
        limitResetsAt: null,
      },
    ].map((item) => ({ ...item, address: getAddress(item.address) })),
  )
  for (const { address, nonce } of received) expect(client.controlOf(nonce).address).toBe(address)

  const again = await openClient({ url: service.url, ...VECTOR })
  expect(again.accountId).toBe(client.accountId)
  expect((await again.receive()).nonce).toBe('2')
})

test('only the client can derive the key that spends the payments to an address', async () => {
  const chain = service.config.chains[0] ?? service.parts.chains[0]!
  const transport = http(chain.rpcUrls[0])
  const reader = createPublicClient({ transport, pollingInterval: 50 })
  const pay = async (payer: ReturnType<typeof privateKeyToAccount>, to: `0x${string}`, value: bigint) => {
    const sender = createWalletClient({ account: payer, transport })
    const hash = await sender.sendTransaction({ to, value, chain: null })
    return reader.waitForTransactionReceipt({ hash })
  }
  const client = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const { address, nonce } = await client.receive()
  const funder = privateKeyToAccount(deriveAccounts().clients[7]!.privateKey)
  await pay(funder, address, parseEther('2'))
  const destination = privateKeyToAccount(generatePrivateKey()).address
  const { status, from } = await pay(client.controlOf(nonce), destination, parseEther('1'))
  expect({ status, from: getAddress(from) }).toEqual({ status: 'success', from: address })
  expect(await reader.getBalance({ address: destination })).toBe(parseEther('1'))
})
