import { parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDescription } from '../../../../devnet/devnet-description.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

const ONE = parseEther('1')
const { StingyWrapped } = compileSolidity(new URL('./StingyWrapped.sol', import.meta.url))

let service: TestService
let payer: Payer
let wrapped: Address
let alice: WalletSender
let holder: Address

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  wrapped = service.parts.chains[0]!.wrappedNative!
  const { reader, sender } = payer.wallet
  const deployed = await sender.deployContract({ ...StingyWrapped!, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployed })
  const code = await reader.getCode({ address: contractAddress! })
  await reader.request({ method: 'anvil_setCode', params: [wrapped, code] } as never)
  alice = await openWalletSender(service, payer)
  const [address] = await alice.receiveAll(zeroAddress, [ONE])
  holder = address!
  const hash = await sender.writeContract({
    address: wrapped,
    abi: StingyWrapped!.abi,
    functionName: 'deposit',
    value: 2n * ONE,
  })
  await reader.waitForTransactionReceipt({ hash })
  await payer.payToken(wrapped, holder, ONE)
  await waitUntilIndexed(service, payer)
})
afterAll(() => service?.stop())

const beStingy = async (whether: boolean) => {
  const { reader, sender } = payer.wallet
  const hash = await sender.writeContract({
    address: wrapped,
    abi: StingyWrapped!.abi,
    functionName: 'beStingy',
    args: [whether],
  })
  await reader.waitForTransactionReceipt({ hash })
}
const unwrap = () =>
  alice.post('/quote', {
    type: 'swap',
    chainId: payer.chain.chainId,
    tokenIn: wrapped,
    tokenOut: zeroAddress,
    amountIn: String(ONE / 2n),
    singleAddress: holder,
  })

it('an unwrap whose contract pays less is refused even where the address could pay the rest itself', async () => {
  await beStingy(true)
  expect(await unwrap()).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: 'The swap would take more than the agreed amount' },
  })
})

it('submission detects a contract that pays less only after the quote was signed', async () => {
  await beStingy(false)
  const { status, body } = await unwrap()
  expect(status, JSON.stringify(body)).toBe(200)
  const signed = await alice.sign(body)
  await beStingy(true)
  expect(await alice.post('/submit', signed)).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: 'The swap would take more than the agreed amount' },
  })
  await beStingy(false)
  expect(await alice.post('/submit', signed)).toMatchObject({ status: 200 })
})

it("a token that retains a part of a v3 pool's output is refused, because the pool would not hold it to the minimum", async () => {
  const { reader } = payer.wallet
  const [chain] = (await readDescription(service.dataDir)).chains
  const [dollar, euro] = chain!.tokens.map(({ address }) => address) as [Address, Address]
  await alice.receiveAll(dollar, [100_000_000n])
  const code = await reader.getCode({ address: chain!.taxedToken.address })
  await reader.request({ method: 'anvil_setCode', params: [euro, code] } as never)
  const swap = {
    type: 'swap',
    chainId: chain!.chainId,
    tokenIn: dollar,
    tokenOut: euro,
    amountIn: '10000000',
  }
  expect(await alice.post('/quote', swap)).toMatchObject({
    status: 400,
    body: {
      code: 'SIMULATION_FAILED',
      message: 'The token keeps a part of each transfer, and its pool does not account for that',
    },
  })
})
