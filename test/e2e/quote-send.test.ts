import { isAddressEqual, parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeCalls } from '../../relayer/transact/intents/encode-calls.ts'
import { quote as quoteShape } from '../../schema/transact/model.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openSender, type Sender } from '../relayer/transact/quotes/sender.ts'

let service: TestService
let payer: Payer
let dollar: Address
let sender: Sender

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  sender = await openSender(service, payer)
})
afterAll(() => service?.stop())

/** Strictly what the contract has: no member more. */
const strict = quoteShape.strict()

describe('a quote of a send that one address can fund', () => {
  it('says what is signed, what it costs, and reserves just that', async () => {
    const [small, large] = await sender.receiveAll(dollar, [usd('50'), usd('200')])
    const recipient = somebody()
    const { status, body } = await sender.quote({
      token: dollar,
      amount: String(usd('30')),
      decimals: 6,
      destinationAddress: recipient,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(strict.parse(body)).toBeDefined()
    const [intent] = body.intents
    expect(body.intents).toHaveLength(1)
    expect(isAddressEqual(intent!.eoa as Address, small!)).toBe(true)
    expect(body.fundingCaveats).toEqual([])

    const calls = decodeCalls(intent!.executionData as `0x${string}`)!
    expect(calls.map(({ to }) => to)).toEqual([dollar, dollar])
    const total = BigInt(body.fees.total)
    expect(BigInt(body.amountIn)).toBe(usd('30') + total)
    expect(total).toBe(BigInt(body.fees.network) + BigInt(body.fees.service))
    expect(BigInt(body.fees.network)).toBeGreaterThan(0n)
    expect(BigInt(body.fees.service)).toBe((usd('30') * 20n) / 10_000n)
    expect(body.selectedFundingSources).toMatchObject([{ address: small, amount: body.amountIn, idCount: 1 }])

    const { body: balances } = await sender.get(`/address-balances?address=${small}`)
    const [held] = (balances as { addresses: { balances: { available: string; pending: string }[] }[] })
      .addresses
    expect(held!.balances).toMatchObject([
      { pending: body.amountIn, available: String(usd('50') - BigInt(body.amountIn)) },
    ])
    expect(large).not.toBe(small)
    await expectNothingLeaked(service.database.pool)
  })
})
