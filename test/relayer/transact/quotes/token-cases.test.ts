import { getContractAddress, parseEther, zeroAddress, type Address, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { openWalletSender, type WalletSender } from '../submissions/open-wallet-sender.ts'
import { startSendingService } from './start-sending-service.ts'

const {
  clients: [, , , , , , owner],
  feeReceiver,
} = deriveAccounts()
/** The first contract that its owner will create. */
const token = getContractAddress({ from: owner!.address, nonce: 0n })
const { CaseToken } = compileSolidity(new URL('../OddTokens.sol', import.meta.url))
const contract = { address: token, abi: CaseToken!.abi }

const WAYS = {
  honest: 0,
  'has no return value': 1,
  'says no without failing': 2,
  'logs the whole and moves nothing': 3,
  'keeps 2 % and logs what arrives': 4,
  'keeps 2 % and logs the whole': 5,
  'rounds two units away': 6,
  'takes 2 % more than is sent': 7,
  'moves the whole and logs nothing': 8,
}
type Way = keyof typeof WAYS

let service: TestService
let payer: Payer
let sender: WalletSender

async function write(functionName: string, args: readonly unknown[]): Promise<void> {
  const { sender: writer, reader } = connectWallet(payer.chain, owner!.privateKey)
  const hash: Hash = await writer.writeContract({ ...contract, functionName, args })
  await reader.waitForTransactionReceipt({ hash })
}
const behave = (way: Way, towards: Address = zeroAddress) => write('behave', [WAYS[way], towards])
const balanceOf = async (address: Address) =>
  (await payer.wallet.reader.readContract({
    ...contract,
    functionName: 'balanceOf',
    args: [address],
  })) as bigint
const stranger = () => privateKeyToAddress(generatePrivateKey())

let funded: Address

/** Gives a fresh address of the account a hundred, which is all that the account has. */
async function fund(): Promise<void> {
  const [address] = await sender.receiveAll(token, [0n])
  funded = address!
  await write('mint', [address, parseEther('100')])
  await waitUntilIndexed(service, payer)
}
const askFive = (destinationAddress: Address) => ask(destinationAddress, '5')
const ask = async (destinationAddress: Address, amount: string) =>
  (await sender.post('/quote', {
    type: 'send',
    chainId: payer.chain.chainId,
    token,
    amount: String(parseEther(amount)),
    destinationAddress,
  })) as { status: number; body: Quote }
const refusal = (message: string) => ({ status: 400, body: { code: 'SIMULATION_FAILED', message } })

beforeAll(async () => {
  service = await startSendingService({
    prices: { sources: [{ kind: 'fixed', prices: [{ chainId: 31_337, address: token, usd: '1' }] }] },
  })
  payer = await openPayer(service, 5)
  const { sender: deployer, reader } = connectWallet(payer.chain, owner!.privateKey)
  await reader.waitForTransactionReceipt({ hash: await deployer.deployContract({ ...CaseToken!, args: [] }) })
})
/** Refused quotes leave an account unchanged, so tests share it: only few sign-ins a minute are allowed. */
let isUntouched = false
beforeEach(async () => {
  if (!isUntouched) {
    sender = await openWalletSender(service, payer)
    await fund()
  }
  isUntouched = false
})
afterAll(() => service?.stop())

const NOT_DELIVERED = 'The recipient would not receive the whole amount'

it.each<[Way, string]>([
  ['says no without failing', NOT_DELIVERED],
  ['logs the whole and moves nothing', NOT_DELIVERED],
  ['keeps 2 % and logs what arrives', NOT_DELIVERED],
  ['keeps 2 % and logs the whole', NOT_DELIVERED],
  ['takes 2 % more than is sent', 'The token would charge more than the sent amount'],
])('a token that %s is refused before anything is signed', async (way, message) => {
  await behave(way)
  expect(await askFive(stranger())).toMatchObject(refusal(message))
  isUntouched = true
  await expectNothingLeaked(service.database.pool)
})

it('a token that only logs our fee is refused', async () => {
  await behave('logs the whole and moves nothing', feeReceiver.address)
  expect(await askFive(stranger())).toMatchObject(refusal('The service would not receive the whole fee'))
})

it.each<[Way, bigint]>([
  ['has no return value', 0n],
  ['rounds two units away', 2n],
  ['moves the whole and logs nothing', 0n],
])('a token that %s pays', async (way, rounding) => {
  await behave(way)
  const recipient = stranger()
  const { status, body } = await askFive(recipient)
  expect(status, JSON.stringify(body)).toBe(200)
  expect((await sender.post('/submit', await sender.sign(body))).status).toBe(200)
  await expect.poll(() => balanceOf(recipient), { timeout: 60_000 }).toBe(parseEther('5') - rounding)
})

it('a token that changes its ways after the quote is refused when the quote is submitted', async () => {
  await behave('honest')
  const { body } = await askFive(stranger())
  const signed = await sender.sign(body)
  await behave('logs the whole and moves nothing')
  expect(await sender.post('/submit', signed)).toMatchObject(refusal(NOT_DELIVERED))
  await behave('logs the whole and moves nothing', feeReceiver.address)
  expect(await sender.post('/submit', signed)).toMatchObject(
    refusal('The service would not receive the whole fee'),
  )
})

it('a balance that shrank without a log is reported as it is now, and can be sent', async () => {
  await behave('honest')
  await write('shrink', [funded, 10n])
  const { status, body } = await ask(stranger(), '95')
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_BALANCE', available: expect.toSatisfy(isNinety) },
  })
  const recipient = stranger()
  const quote = await ask(recipient, '80')
  expect(quote.status, JSON.stringify(quote.body)).toBe(200)
  expect((await sender.post('/submit', await sender.sign(quote.body))).status).toBe(200)
  await expect.poll(() => balanceOf(recipient), { timeout: 60_000 }).toBe(parseEther('80'))
})

const isNinety = (available: unknown) => available === '90' || available === String(parseEther('90'))
