import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, parseUnits, zeroAddress, type Address, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import type { WireQuote } from '../relayer/transact/quotes/open-sender.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import {
  openWalletSender,
  type Answer,
  type WalletSender,
} from '../relayer/transact/submissions/open-wallet-sender.ts'

let service: TestService
let payer: Payer
let dollar: Address
let alice: WalletSender

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  alice = await openWalletSender(service, payer)
})
afterAll(() => service?.stop())

const somebody = () => privateKeyToAddress(generatePrivateKey())
const amountAt = (token: Address, address: Address) =>
  token === zeroAddress
    ? payer.wallet.reader.getBalance({ address })
    : payer.wallet.reader.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      })

async function costOf(hash: Hash): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await payer.wallet.reader.getTransactionReceipt({ hash })
  return gasUsed * effectiveGasPrice
}

/** Signs and submits a quote. @returns The cost of its transaction in wei. */
async function send(quote: WireQuote): Promise<bigint> {
  const { status, body } = await alice.post('/submit', await alice.sign(quote as never))
  expect(status, JSON.stringify(body)).toBe(200)
  for (;;) {
    const progress: Answer = await alice.get(`/relay-status/${quote.quoteId}`)
    const { status: state, confirmedTxHash } = progress.body as { status: string; confirmedTxHash: Hash }
    if (state === 'failed') throw new Error(JSON.stringify(progress.body))
    if (state === 'confirmed') {
      await waitUntilIndexed(service, payer)
      return costOf(confirmedTxHash)
    }
    await sleep(50)
  }
}

/** A coin is worth 3,000 dollars; the dollar has six decimals. */
const inWei = (token: Address, amount: bigint) =>
  token === zeroAddress ? amount : (amount * 10n ** 18n) / parseUnits('3000', 6)

it.each([
  ['dollars', (): Address => dollar, parseUnits('100', 6)],
  ['coins', (): Address => zeroAddress, 10n ** 18n],
] as const)(
  'a fee in %s covers the cost of sending without being much higher, and the whole balance can be sent',
  async (_, tokenOf, funds) => {
    const token = tokenOf()
    const [address] = await alice.receiveAll(token, [funds])
    // The address first delegates, has then delegated, and is finally emptied.
    const amounts = [{ amount: String(funds / 10n) }, { amount: String(funds / 10n) }, { maxSend: true }]
    const askMax = (): Promise<Answer> =>
      alice.post('/max-spendable', { chainId: payer.chain.chainId, token })
    const grossOf = async (): Promise<string> =>
      ((await askMax()).body as { grossAmount: string }).grossAmount
    let delegations = 0
    for (const asked of amounts) {
      const recipient = somebody()
      await expect.poll(grossOf).toBe(String(await amountAt(token, address!)))
      const { body: most } = await askMax()
      const quote = (await alice.quote({ token, destinationAddress: recipient, ...asked })) as WireQuote
      delegations += quote.delegations.length
      if ('maxSend' in asked) expect(quote.expectedOutput).toBe((most as { maxAmount: string }).maxAmount)
      const cost = await send(quote)
      expect(await amountAt(token, recipient)).toBe(BigInt(quote.expectedOutput))
      const fee = inWei(token, BigInt(quote.fees.network))
      expect(fee).toBeGreaterThanOrEqual(cost)
      expect(fee).toBeLessThan(cost * 2n)
    }
    expect(delegations).toBe(1)
    expect(await amountAt(token, address!)).toBeLessThanOrEqual(1n)
    await expectNothingLeaked(service.database.pool)
  },
)
