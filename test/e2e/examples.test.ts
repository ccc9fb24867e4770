import { encodeFunctionData, erc20Abi, parseEther, zeroAddress, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { createQuoteForger } from '../harness/create-quote-forger.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openClient, openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { claimName } from '../../schema/client/account/claim-name.ts'
import { resolveName } from '../../schema/client/account/resolve-name.ts'
import { deriveNoteKey, readNotes, writeNote } from '../../schema/client/account/write-note.ts'
import { deriveTagKeys, readTag, writeTag } from '../../schema/client/account/write-tag.ts'
import { decodeCalldata } from '../../schema/client/provider/decode-calldata.ts'
import { openReferrals, previewReferral, readEarnings } from '../../schema/client/account/refer.ts'
import { followAccount, type AccountEvent } from '../../schema/client/account/follow-account.ts'
import { checkSend } from '../../schema/client/quotes/check-send.ts'
import { askQuote, send, type Quote, type SendOptions } from '../../schema/client/quotes/send.ts'
import { saveContact, type Contact } from '../../schema/client/account/save-contact.ts'
import { takeFirstSteps } from './examples/first-steps.ts'
import { knownOf } from './examples/demo/known-of.ts'

interface StoredTag {
  address: Address
  tagPayloadCiphertext: string | null
  labelKey: string | null
}

let service: TestService
let payer: Payer
/** Ten sign-ins a minute are allowed. */
let stranger: Client
let spender: Client
beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 3)
  stranger = await openNewClient({ url: service.url })
  spender = await openNewClient({ url: service.url, chains: [knownOf(payer.chain)] })
})
afterAll(() => service?.stop())

const maxFee = parseEther('0.01')
const ALICE = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

test('a contact is saved and renamed by the spending key', async () => {
  const client = await openNewClient({ url: service.url })
  const lowerCase = ALICE.toLowerCase() as `0x${string}`
  expect(await saveContact(client, lowerCase, 'Alice')).toMatchObject({ address: ALICE, name: 'Alice' })
  await saveContact(client, ALICE, 'Alice B.')
  const path = `/v1/accounts/${client.accountId}/address-book`
  const { entries } = await client.ask<{ entries: Contact[] }>('GET', path)
  expect(entries).toMatchObject([{ address: ALICE, name: 'Alice B.' }])

  const stolen = { ...client, signMessage: stranger.signMessage }
  await expect(saveContact(stolen, ALICE, 'Mallory')).rejects.toThrow('CONTACT_SIGNATURE_INVALID')
})

test('a person with a referral code sees its terms and counts for the referrer', async () => {
  const { code, ...terms } = await openReferrals(stranger)
  expect(await previewReferral(service.url, code)).toEqual({ referrerName: null, ...terms })
  const before = await readEarnings(stranger)
  await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
    referralCode: code,
  })
  expect(await readEarnings(stranger)).toEqual({
    totalReferrals: before.totalReferrals + 1,
    activeReferrals: before.activeReferrals + 1,
    totalEarnedUsd: before.totalEarnedUsd,
  })
})

test('a payment, and an order until its funds are free again, show up while the account is followed', async () => {
  const client = await openNewClient({ url: service.url, chains: [knownOf(payer.chain)] })
  const { chainId } = payer.chain
  const leave = new AbortController()
  const events: AccountEvent[] = []
  const following = (async () => {
    for await (const event of followAccount(client, leave.signal)) events.push(event)
  })()
  const lastBalance = () => events.findLast((event) => event.type === 'BalanceChanged')?.balance
  await expect.poll(() => events[0]).toEqual({ type: 'ResyncRequired', reason: 'start' })

  await fund(client, [parseEther('1')])
  const coin = { chainId, token: zeroAddress, tokenSymbol: 'ETH', decimals: 18 }
  const received = { ...coin, available: String(parseEther('1')), pending: '0' }
  await expect.poll(lastBalance).toEqual(received)

  const terms = { chainId, token: zeroAddress, amount: parseEther('0.5'), destination: somebody(), maxFee }
  const { quote, txHash } = await send(client, terms)
  const left = { ...coin, available: String(parseEther('1') - BigInt(quote.amountIn)), pending: '0' }
  await expect.poll(lastBalance).toEqual(left)
  await expect
    .poll(() => events)
    .toContainEqual({
      type: 'RelayProgress',
      progress: { quoteId: quote.quoteId, status: 'confirmed', confirmedTxHash: txHash, error: null },
    })
  leave.abort()
  await expect(following).rejects.toThrow('aborted')

  const query = 'subscription ($accountId: ID!) { balanceChanged(accountId: $accountId) { chainId } }'
  const foreign = client.follow(query, { accountId: stranger.accountId }, AbortSignal.timeout(10_000))
  await expect(foreign.next()).rejects.toThrow('access to that account')
})

test('calldata is shown by the functions that it can be a call of, and by no other', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ALICE, 5n] })
  expect(await decodeCalldata(stranger, data)).toEqual([
    { signature: 'transfer(address,uint256)', source: 'standard', suspicious: false, args: [ALICE, 5n] },
  ])
  for (const other of [`${data}00`, data.slice(0, -2), '0xa9059cbb', '0xdeadbeef', '0x'] as Hex[])
    expect(await decodeCalldata(stranger, other)).toEqual([])
})

const somebody = () => privateKeyToAddress(generatePrivateKey())

async function fund(client: Client, amounts: readonly bigint[]): Promise<Address[]> {
  const addresses: Address[] = []
  for (const amount of amounts) {
    const { address } = await client.receive()
    await payer.payNative(address, amount)
    addresses.push(address)
  }
  await waitUntilIndexed(service, payer)
  return addresses
}

test('a client sends more than any of its addresses holds', async () => {
  const client = await openNewClient({ url: service.url, chains: [knownOf(payer.chain)] })
  const funding = await fund(client, [parseEther('1'), parseEther('2')])
  const { chainId } = payer.chain
  const destination = somebody()
  const amount = parseEther('2.5')
  const steps: string[] = []
  const { quote, txHash } = await send(client, {
    chainId,
    token: zeroAddress,
    amount,
    destination,
    maxFee,
    maxAddresses: 2,
    step: (text, work) => (steps.push(text), work(() => {})),
  })
  const { reader } = payer.wallet
  const left = await Promise.all(funding.map((address) => reader.getBalance({ address })))
  expect(await reader.getBalance({ address: destination })).toBe(amount)
  expect(left.reduce((sum, balance) => sum + balance)).toBe(parseEther('3') - BigInt(quote.amountIn))
  expect((await reader.getTransactionReceipt({ hash: txHash })).status).toBe('success')
  expect(steps).toHaveLength(5)
})

test('the first steps of the README lead from nothing to a payment', async () => {
  const friend = somebody()
  const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const { paid, left } = await takeFirstSteps({
    url: service.url,
    ...keys,
    chain: knownOf(payer.chain),
    friend,
    amount: parseEther('0.75'),
    maxFee,
    async pay(address) {
      await payer.payNative(address, parseEther('1'))
      await waitUntilIndexed(service, payer)
    },
  })
  expect(paid).toBe(String(parseEther('1')))
  expect(BigInt(left)).toBeLessThan(parseEther('0.25'))
  expect(await payer.wallet.reader.getBalance({ address: friend })).toBe(parseEther('0.75'))
})

test('the example client refuses to sign a quote that does something other than it asked for', async () => {
  await fund(spender, [parseEther('1')])
  const amount = parseEther('0.25')
  const asked = { chainId: payer.chain.chainId, token: zeroAddress, amount, destination: somebody(), maxFee }
  const quote = await askQuote(spender, asked)
  const check = (quoted: typeof quote, changes: Partial<typeof asked> = {}) =>
    checkSend(spender, quoted, { ...asked, ...changes })

  await check(quote)
  await expect(check(quote, { amount: amount + 1n })).rejects.toThrow('sends something else')
  await expect(check(quote, { destination: somebody() })).rejects.toThrow('pays somebody else')
  await expect(check({ ...quote, outputRecipient: somebody() })).rejects.toThrow('signature of the service')
  await expect(checkSend(stranger, quote, asked)).rejects.toThrow('does not know the contracts')
  const robbed = { ...stranger, chainOf: spender.chainOf }
  await expect(checkSend(robbed, quote, asked)).rejects.toThrow('not an address of the account')
})

test('a name resolves to a new address of its account each time', async () => {
  const { rpcUrl, names } = payer.chain
  const parent = 'stealth.eth'
  const source = { rpcUrl, resolver: names.offchainResolver, url: service.url }
  const label = await claimName(spender, 'Zora')
  expect(label).toBe('zora')
  const found = [
    await resolveName(source, `${label}.${parent}`),
    await resolveName(source, `${label}.${parent}`),
  ]
  expect(new Set(found).size).toBe(2)
  for (const address of found) {
    const path = `/v1/accounts/${spender.accountId}/address-ownership?address=${address}`
    expect(await spender.ask('GET', path)).toMatchObject({ owned: true })
  }
  expect(await resolveName(source, `nobody-has-this.${parent}`)).toBe(zeroAddress)
  await expect(claimName(stranger, 'zora')).rejects.toThrow(/: 4\d\d /)
})

test("a note can only be decrypted with its owner's key and on its own payment", async () => {
  await fund(spender, [parseEther('1')])
  const asked = { chainId: payer.chain.chainId, token: zeroAddress, amount: 1_000n, destination: somebody() }
  const { quoteId } = await askQuote(spender, asked)
  const key = await deriveNoteKey(generatePrivateKey())
  await writeNote(spender, key, quoteId, 'Rent, May ✓')
  expect([...(await readNotes(spender, key))]).toEqual([[quoteId, 'Rent, May ✓']])
  await expect(readNotes(spender, await deriveNoteKey(generatePrivateKey()))).rejects.toThrow()
  const path = `/v1/accounts/${spender.accountId}/activity-notes`
  const { notes } = await spender.ask<{ notes: { notePayloadCiphertext: string }[] }>('GET', path)
  const other = await askQuote(spender, asked)
  const reference = { type: 'quote', quoteId: other.quoteId }
  const notePayloadCiphertext = notes[0]?.notePayloadCiphertext
  await spender.ask('PUT', path, { reference, notePayloadCiphertext })
  await expect(readNotes(spender, key)).rejects.toThrow()
  await writeNote(spender, key, other.quoteId, '')
  await writeNote(spender, key, quoteId, '')
  expect((await readNotes(spender, key)).size).toBe(0)
})

test('tags that the example client writes are readable by its keys alone, and equal labels are seen to be equal', async () => {
  const keys = await deriveTagKeys(generatePrivateKey())
  const tagged = [await spender.receive(), await spender.receive(), await spender.receive()]
  const [first, second, third] = tagged.map(({ address }) => address) as [Address, Address, Address]
  for (const [address, label] of [
    [first, 'Salary'],
    [second, 'Salary'],
    [third, 'Rent'],
  ] as const)
    await writeTag(spender, keys, address, label)
  const readAll = async () => {
    const path = `/v1/accounts/${spender.accountId}/provenance-address-tags`
    const { tags } = await spender.ask<{ tags: StoredTag[] }>('GET', path)
    return new Map(tags.map((tag) => [tag.address, tag]))
  }
  const tags = await readAll()
  const labels = await Promise.all([first, second, third].map((address) => readTag(keys, tags.get(address)!)))
  expect(labels).toEqual(['Salary', 'Salary', 'Rent'])
  const keyOf = (address: Address) => tags.get(address)?.labelKey
  expect(keyOf(first)).toBe(keyOf(second))
  expect(keyOf(third)).not.toBe(keyOf(first))
  // Another wallet's keys neither open nor compare; a tag of another address does not open.
  const others = await deriveTagKeys(generatePrivateKey())
  await expect(readTag(others, tags.get(first)!)).rejects.toThrow()
  await expect(readTag(keys, { ...tags.get(first)!, address: second })).rejects.toThrow()
  await writeTag(spender, others, third, 'Salary')
  expect((await readAll()).get(third)?.labelKey).not.toBe(keyOf(first))
  await writeTag(spender, keys, third, '')
  expect((await readAll()).has(third)).toBe(false)
})

test('the example client detects a service that signs one quote and asks for the signature of another', async () => {
  await fund(spender, [parseEther('1')])
  const amount = parseEther('0.25')
  const asked = { chainId: payer.chain.chainId, token: zeroAddress, amount, destination: somebody(), maxFee }
  const honest = await askQuote(spender, asked)
  const other = await askQuote(spender, { ...asked, amount: 2n * amount })
  const lying = createLiar(spender)
  const { intents, delegations, selectedFundingSources } = other
  const taken = { intents, delegations, selectedFundingSources }
  await expect(lying.check({ ...honest, ...taken }, asked)).rejects.toThrow('another amount')
  const doubled = { ...honest, intents: [...honest.intents, ...honest.intents] }
  await expect(lying.check(doubled, asked)).rejects.toThrow('two orders to one address')
  await expect(lying.check({ ...honest, amountIn: String(amount) }, asked)).rejects.toThrow(
    'cost something else',
  )
  const paying = honest.intents.map((intent) => ({ ...intent, paymentMaxAmount: '1' }))
  await expect(lying.check({ ...honest, intents: paying }, asked)).rejects.toThrow('more than its calls')
  await expect(lying.check(honest, { ...asked, chainId: 1 })).rejects.toThrow('does not know the contracts')
  const everywhere = honest.delegations.map((delegation) => ({ ...delegation, chainId: 0 }))
  await expect(lying.check({ ...honest, delegations: everywhere }, asked)).rejects.toThrow('another chain')
  await lying.check(honest, asked)
})

/** Checks forged quotes that carry a valid signature of another service key. */
function createLiar(client: Client) {
  const forger = createQuoteForger()
  const ask = (async () => forger.key) as unknown as Client['ask']
  return {
    check: (quote: Quote, asked: SendOptions) => checkSend({ ...client, ask }, forger.sign(quote), asked),
  }
}
