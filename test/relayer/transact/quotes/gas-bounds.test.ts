import { concatHex, numberToHex, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openSender } from './sender.ts'
import { startSendingService } from './start-sending-service.ts'

let service: TestService
let payer: Payer
beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
})
afterAll(() => service?.stop())

/** Code that goes round so many times, 26 gas each, and then takes what it is sent: PUSH3 n, (1, swap, sub, dup) … jumpi. */
const goRound = (times: number): Hex =>
  concatHex(['0x62', numberToHex(times, { size: 3 }), '0x5b60019003806004570000'])

it('a recipient that takes as much gas as it likes is not paid: if its mind changes, we pay for all of it', async () => {
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
