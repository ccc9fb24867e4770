import {
  concatHex,
  getContractAddress,
  numberToHex,
  padHex,
  stringToHex,
  zeroAddress,
  type Address,
  type Hash,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { openSender } from './open-sender.ts'
import { startSendingService } from './start-sending-service.ts'

/** The first contract that this account will create. */
const oddOwner = deriveAccounts().clients[6]!
const oddToken = getContractAddress({ from: oddOwner.address, nonce: 0n })

let service: TestService
let payer: Payer
beforeAll(async () => {
  service = await startSendingService({
    prices: { sources: [{ kind: 'fixed', prices: [{ chainId: 31_337, address: oddToken, usd: '1' }] }] },
  })
  payer = await openPayer(service, 5)
})
afterAll(() => service?.stop())

/** Code that loops so many times, 26 gas each, and then accepts the payment: PUSH3 n, (1, swap, sub, dup) … jumpi. */
const goRound = (times: number): Hex =>
  concatHex(['0x62', numberToHex(times, { size: 3 }), '0x5b60019003806004570000'])

it('a recipient that uses unlimited gas is refused, since we would pay for it', async () => {
  const sender = await openSender(service, payer)
  await sender.receive(zeroAddress, 10n ** 18n)
  const quoteTo = async (times: number) => {
    const recipient = privateKeyToAddress(generatePrivateKey())
    await payer.wallet.reader.request({
      method: 'anvil_setCode',
      params: [recipient, goRound(times)],
    } as never)
    return sender.quote({
      token: zeroAddress,
      amount: '1000',
      destinationAddress: recipient,
      acknowledgedContractRecipient: recipient,
    })
  }
  const modest = await quoteTo(10_000)
  expect(modest.status, JSON.stringify(modest.body)).toBe(200)
  expect(Number(modest.body.intents[0]!.combinedGas)).toBeGreaterThan(260_000)
  expect(await quoteTo(100_000)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  await expectNothingLeaked(service.database.pool)
})

it('the revert reason of a recipient is in the refusal', async () => {
  const sender = await openSender(service, payer)
  await sender.receive(zeroAddress, 10n ** 18n)
  const recipient = privateKeyToAddress(generatePrivateKey())
  const word = (text: Hex) => concatHex(['0x7f', padHex(text, { dir: 'right', size: 32 })])
  // revert(Error("No thanks"))
  const code = concatHex([
    word('0x08c379a0'),
    '0x5f5260206004526009602452',
    word(stringToHex('No thanks')),
    '0x60445260645ffd',
  ])
  await payer.wallet.reader.request({ method: 'anvil_setCode', params: [recipient, code] } as never)
  expect(
    await sender.quote({
      token: zeroAddress,
      amount: '1000',
      destinationAddress: recipient,
      acknowledgedContractRecipient: recipient,
    }),
  ).toMatchObject({
    status: 400,
    body: {
      code: 'SIMULATION_FAILED',
      message: 'The chain would refuse this transfer: reverted with "No thanks"',
    },
  })
})

it('a token that would not deliver the whole fee is not quoted', async () => {
  const { OddToken } = compileSolidity(new URL('../OddTokens.sol', import.meta.url))
  const { sender: owner, reader } = connectWallet(payer.chain, oddOwner.privateKey)
  const mined = (hash: Hash) => reader.waitForTransactionReceipt({ hash })
  await mined(await owner.deployContract({ ...OddToken!, args: [] }))
  const sender = await openSender(service, payer)
  const { body: issued } = await sender.post<{ address: Address }>('/payment-address')
  const odd = { address: oddToken, abi: OddToken!.abi }
  await mined(
    await owner.writeContract({ ...odd, functionName: 'mint', args: [issued.address, 50_000_000n] }),
  )
  const held = async () => (await sender.get(`/balance/${payer.chain.chainId}/${oddToken}`)).body['visible']
  await expect.poll(held).toMatchObject({ available: '50000000' })
  // It takes nothing of less than a hundred units; the fee is more.
  const recipient = privateKeyToAddress(generatePrivateKey())
  expect(await sender.quote({ token: oddToken, amount: '50', destinationAddress: recipient })).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: 'The service would not receive the whole fee' },
  })
})
