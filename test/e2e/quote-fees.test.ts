import { generateKeyPairSync } from 'node:crypto'
import { getContractAddress, parseUnits, type Address, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQuoteSigner } from '../../proving/signing/quote-signer.ts'
import { deriveAccounts } from '../devnet/accounts.ts'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import { openAccount } from '../relayer/account/open-account.ts'
import { compileSolidity } from '../relayer/market/tokens/compile-solidity.ts'
import { openSender } from '../relayer/transact/quotes/open-sender.ts'
import { openWalletSender } from '../relayer/transact/submissions/open-wallet-sender.ts'
import { sql } from '../../db/connect-database.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

let service: TestService
let payer: Payer
let dollar: Address

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())
const collector = somebody()
/** The first contract that this account will create. */
const oddOwner = deriveAccounts().clients[6]!
const oddToken = getContractAddress({ from: oddOwner.address, nonce: 0n })
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const quoteKey = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

beforeAll(async () => {
  service = await startSendingService({
    feeWaivers: { waiverDays: 14 },
    prices: { sources: [{ kind: 'fixed', prices: [{ chainId: 31_337, address: oddToken, usd: '1' }] }] },
    transact: { serviceFeeBps: 50, feeReceivers: { 31337: collector }, maxFundingAddresses: 2, quoteKey },
  })
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
})
afterAll(() => service?.stop())

describe('a fee', () => {
  it('for the service is waived for a new account, for a time that begins with its first submission', async () => {
    const sender = await openWalletSender(service, payer)
    await sender.receiveAll(dollar, [usd('20'), usd('20')])
    const waiver = async () => ((await sender.get('/balance')).body as { feeWaiver: unknown }).feeWaiver
    const offer = async () =>
      ((await sender.get('')).body as Record<string, unknown>)['activationOfferClaimExpiresAt']
    const none = { active: false, source: null, activeUntil: null }
    expect(await waiver()).toEqual(none)
    const most = await sender.post('/max-spendable', { chainId: payer.chain.chainId, token: dollar })
    expect(most.body).toMatchObject({ protocolFeeBps: 0, fees: { service: '0' } })

    const ask = () => sender.quote({ token: dollar, amount: '15000000', destinationAddress: somebody() })
    const quotes = [await ask(), await ask()]
    for (const quote of quotes)
      expect(quote).toMatchObject({
        protocolFeeBps: 0,
        protocolFeeAmount: '0',
        fees: { waived: true, service: '0' },
      })
    // Quotes alone do not start the waiver: an account that only reads keeps the offer.
    expect([await waiver(), typeof (await offer())]).toEqual([none, 'string'])

    const submit = async (quote: (typeof quotes)[number]) =>
      expect((await sender.post('/submit', await sender.sign(quote))).status).toBe(200)
    await submit(quotes[0]!)
    const started = await waiver()
    expect(started).toMatchObject({ active: true, source: 'activation' })
    expect(await offer()).toBeNull()
    // The other was quoted under the offer: its signed fee stays, and the waiver is not extended.
    await submit(quotes[1]!)
    expect(await waiver()).toEqual(started)
  })

  it('is waived from the first of two submissions at once, and the waiver is not offered again', async () => {
    const sender = await openWalletSender(service, payer)
    await sender.receiveAll(dollar, [usd('20'), usd('20')])
    const ask = () => sender.quote({ token: dollar, amount: '15000000', destinationAddress: somebody() })
    const signed = await Promise.all([await ask(), await ask()].map((quote) => sender.sign(quote)))
    const answers = await Promise.all(signed.map((one) => sender.post('/submit', one)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { accountId } = sender.client
    const { rowCount } = await service.database.pool.query(sql.typeAlias('void')`
      update fee_waiver set active_until = now() where account_id = ${accountId}`)
    expect(rowCount).toBe(1)
    const most = await sender.post('/max-spendable', { chainId: payer.chain.chainId, token: dollar })
    expect(most.body).toMatchObject({ protocolFeeBps: 50 })
  })

  it('goes to the configured receiver, and a quote spends from no more addresses than configured', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(dollar, [usd('10'), usd('10'), usd('10')])
    const { body } = await sender.quote({ token: dollar, amount: '15000000', destinationAddress: somebody() })
    expect(body.intents).toHaveLength(2)
    for (const { executionData } of body.intents)
      expect(executionData.toLowerCase()).toContain(collector.slice(2).toLowerCase())
    await sender.post('/unlock', { quoteId: body.quoteId })
    const more = await sender.quote({ token: dollar, amount: '25000000', destinationAddress: somebody() })
    expect(more).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES', spendableCount: 2, maxInputs: 2 },
    })
  })

  it('cannot be taken in a token without a price', async () => {
    const sender = await openSender(service, payer)
    const wrapped = service.parts.chains[0]!.wrappedNative!
    const { status, body } = await sender.quote({
      token: wrapped,
      amount: '1',
      destinationAddress: somebody(),
    })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'FEE_TOKEN_UNPRICED' } })
  })
})

it('a token that delivers less than is sent is not quoted', async () => {
  const { OddToken } = compileSolidity(new URL('../relayer/transact/OddTokens.sol', import.meta.url))
  const { sender: owner, reader } = connectWallet(payer.chain, oddOwner.privateKey)
  const mined = (hash: Hash) => reader.waitForTransactionReceipt({ hash })
  await mined(await owner.deployContract({ ...OddToken!, args: [] }))
  const odd = { address: oddToken, abi: OddToken!.abi }

  const sender = await openSender(service, payer)
  const { body: issued } = await sender.post<{ address: Address }>('/payment-address')
  await mined(await owner.writeContract({ ...odd, functionName: 'mint', args: [issued.address, usd('50')] }))
  const held = async () => (await sender.get(`/balance/${payer.chain.chainId}/${oddToken}`)).body['visible']
  await expect.poll(held).toMatchObject({ available: String(usd('50')) })

  const asked = { token: oddToken, amount: String(usd('5')), destinationAddress: somebody() }
  expect(await sender.quote(asked)).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: 'The recipient would not receive the whole amount' },
  })
  await mined(await owner.writeContract({ ...odd, functionName: 'refuse', args: [true] }))
  expect(await sender.quote(asked)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  await expectNothingLeaked(service.database.pool)
})

it('quotes are signed with the configured key', async () => {
  const answer = await fetch(`${service.url}/v1/.well-known/quote-signer-public-key`)
  expect(await answer.json()).toEqual(createQuoteSigner(quoteKey).publicKey)
})

it('a chain that does not answer is reported differently from a mistake of the client', async () => {
  const [chain] = service.parts.chains
  const written = JSON.parse(
    JSON.stringify(chain, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
  const silent = await startSendingService({ chains: [{ ...written, rpcUrls: ['http://127.0.0.1:1'] }] })
  try {
    const owner = await openAccount(silent.url)
    const kind = await owner.get(
      `${owner.path}/recipient-address-kind?chainId=${chain!.chainId}&address=${somebody()}`,
    )
    expect(kind).toMatchObject({ status: 502, json: { error: 'Bad Gateway' } })
    const quote = await owner.send('POST', `${owner.path}/quote`, {
      type: 'send',
      chainId: chain!.chainId,
      token: dollar,
      amount: '1',
      destinationAddress: somebody(),
    })
    const busy = { status: 503, json: { error: 'Service Unavailable', code: 'SERVER_BUSY' } }
    expect(quote).toMatchObject(busy)
    expect(
      await owner.send('POST', `${owner.path}/max-spendable`, { chainId: chain!.chainId, token: dollar }),
    ).toMatchObject(busy)
  } finally {
    await silent.stop()
  }
})
