import { parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openWalletSender, type WalletSender } from '../submissions/open-wallet-sender.ts'
import { startSendingService } from './start-sending-service.ts'

let service: TestService
let payer: Payer
let alice: WalletSender

beforeAll(async () => {
  // The timer that ends locks does not fire in this test.
  service = await startSendingService({ transact: { expireEveryMs: 600_000 } })
  payer = await openPayer(service, 2)
  alice = await openWalletSender(service, payer)
})
afterAll(() => service?.stop())

const somebody = (): Address => privateKeyToAddress(generatePrivateKey())
const quote = (amount: string) =>
  alice.quote({ token: zeroAddress, amount: String(parseEther(amount)), destinationAddress: somebody() })

it('the remainder after a payment can be sent at once when the balance says so, whenever its lock is ended', async () => {
  await alice.receiveAll(zeroAddress, [parseEther('10')])
  for (const amount of ['4', '3']) {
    const { quoteId, ...rest } = await quote(amount)
    expect(await alice.post('/submit', await alice.sign({ quoteId, ...rest }))).toMatchObject({ status: 200 })
    await expect
      .poll(async () => (await alice.get(`/relay-status/${quoteId}`)).body, { timeout: 60_000 })
      .toMatchObject({ status: 'confirmed' })
    await waitUntilIndexed(service, payer)
  }
  // A query ends the locks as well, although it may not write otherwise.
  const most = await alice.post('/max-spendable', { chainId: payer.chain.chainId, token: zeroAddress })
  expect(BigInt((most.body as { maxAmount: string }).maxAmount)).toBeGreaterThan(parseEther('2.9'))
  const last = await quote('2.9')
  expect(last.selectedFundingSources).toHaveLength(1)
})

it('unspent funds that a quote has locked stay locked', async () => {
  await expect(quote('1')).rejects.toThrow('QUOTE_LOCK_CONFLICT')
})
