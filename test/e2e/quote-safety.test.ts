import { encodeFunctionData, getAddress, parseAbi, parseUnits, type Address } from 'viem'
import { namehash } from 'viem/ens'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/connect-database.ts'
import { contactMessage } from '../../relayer/account/address-book/contact-message.ts'
import { deriveAccounts } from '../devnet/accounts.ts'
import { CLIENT_NAME } from '../devnet/deploy/devnet-names.ts'
import { CLIENT_PICTURE } from '../devnet/pictures.ts'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import { openSender, type Sender } from '../relayer/transact/quotes/open-sender.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

let service: TestService
let payer: Payer
let dollar: Address
let sender: Sender
let own: Address

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())
const listed = somebody()

beforeAll(async () => {
  service = await startSendingService({
    screening: { mode: 'list', addresses: [listed], recoveryUrl: 'https://service.example/recover' },
  })
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  sender = await openSender(service, payer)
  own = await sender.receive(dollar, usd('500'))
})
afterAll(async () => {
  if (service) await expectNothingLeaked(service.database.pool)
  await service?.stop()
})

const quoteTo = (destinationAddress: string, changes: Record<string, unknown> = {}) =>
  sender.quote({ token: dollar, amount: '1000', destinationAddress, ...changes })

/** A hexadecimal digit other than the given one. */
const otherDigit = (digit: string) => (digit === '0' ? '1' : '0')
/** An address that shares exactly the first and the last six digits of another. */
const imitate = (address: Address) => {
  const middle = `${otherDigit(address[8]!)}${somebody().slice(9, 35)}${otherDigit(address[35]!)}`
  return `${address.slice(0, 8)}${middle}${address.slice(-6)}`.toLowerCase()
}
const kindOf = (address: string, chainId = payer.chain.chainId) =>
  sender.get(`/recipient-address-kind?chainId=${chainId}&address=${address}`)

describe('an address that imitates a known one', () => {
  it('is refused unless the user has accepted that pair of addresses', async () => {
    const fake = imitate(own)
    const { status, body } = await quoteTo(fake)
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        error: 'Conflict',
        code: 'ADDRESS_POISONING_MATCH',
        matchedAddress: own,
        matchedPrefixCharsCount: 6,
        matchedSuffixCharsCount: 6,
        matchSource: 'own_address',
      },
    })
    const resolved = (body as unknown as { resolvedAddress: Address }).resolvedAddress
    expect(resolved.toLowerCase()).toBe(fake)
    const accept = (recipientAddress: string, matchedAddress: string) =>
      quoteTo(fake, { acknowledgedAddressPoisoningMatch: { recipientAddress, matchedAddress } })
    expect((await accept(somebody(), own)).status).toBe(409)
    expect((await accept(resolved, somebody())).status).toBe(409)
    const accepted = await accept(resolved, own)
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        outputRecipient: resolved,
        addressPoisoningMatch: { matchedAddress: own, source: 'own_address', contactName: null },
      },
    })
    expect(await kindOf(fake)).toMatchObject({
      status: 200,
      body: { kind: 'eoa', addressPoisoningMatch: { matchedAddress: own } },
    })
    expect(await kindOf(own)).toMatchObject({ body: { kind: 'own', addressPoisoningMatch: null } })
  })

  it('is found by comparison with the address book, whose name it gives, and with earlier recipients', async () => {
    const friend = somebody()
    const issuedAt = new Date().toISOString()
    const contact = { accountId: sender.accountId, address: friend, name: 'Alice', issuedAt }
    const signature = await sender.sign(contactMessage(contact))
    const saved = await sender.put(`/address-book/${friend}`, { name: 'Alice', issuedAt, signature })
    expect(saved.status).toBe(200)
    expect(await quoteTo(imitate(friend))).toMatchObject({
      status: 409,
      body: { matchedAddress: friend, matchSource: 'address_book', contactName: 'Alice' },
    })
    expect((await quoteTo(friend)).status).toBe(200)

    const paid = somebody()
    const { body } = await quoteTo(paid)
    await service.database.pool.query(sql.typeAlias('void')`
      update reservation set released_at = now() where quote_id = ${body.quoteId}`)
    await service.database.pool.query(sql.typeAlias('void')`
      update locked_funds set amount = amount - ${BigInt(body.amountIn)} where address = ${own} and token = ${dollar}`)
    await service.database.pool.query(sql.typeAlias('void')`
      update quote set status = 'confirmed', ended_at = now() where id = ${body.quoteId}`)
    expect(await quoteTo(imitate(paid))).toMatchObject({
      status: 409,
      body: { matchedAddress: paid, matchSource: 'counterparty' },
    })
  })

  it('does not become a known address by paying the account', async () => {
    const { address: payerAddress } = payer.wallet.account
    // Payers count as known, so that imitations of them are found.
    expect(await quoteTo(imitate(payerAddress))).toMatchObject({
      status: 409,
      body: { matchedAddress: payerAddress, matchSource: 'counterparty' },
    })
    expect((await quoteTo(payerAddress)).status).toBe(200)

    const fake = imitate(own)
    await service.database.pool.query(sql.typeAlias('void')`
      insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard,
        token, from_address, to_address, amount)
      select chain_id, block_hash, source, position + 1000, block_number, block_time, tx_hash, standard, token,
        ${getAddress(fake)}, to_address, 1 from transfer where to_address = ${own} limit 1`)
    expect((await quoteTo(fake)).status).toBe(409)
    // Nor by a token's false claim that the account had paid it.
    await service.database.pool.query(sql.typeAlias('void')`
      update transfer set from_address = to_address, to_address = from_address
      where from_address = ${getAddress(fake)}`)
    expect((await quoteTo(fake)).status).toBe(409)
  })
})

describe('a recipient', () => {
  it('that is a contract must be accepted by its address', async () => {
    const { resolver } = payer.chain.names
    expect(await quoteTo(resolver)).toMatchObject({
      status: 400,
      body: { error: 'Bad request', code: 'CONTRACT_RECIPIENT', resolvedAddress: resolver },
    })
    expect((await quoteTo(resolver, { acknowledgedContractRecipient: somebody() })).status).toBe(400)
    expect((await quoteTo(resolver, { acknowledgedContractRecipient: resolver })).status).toBe(200)
    expect(await kindOf(resolver)).toMatchObject({ body: { kind: 'contract' } })
  })

  it('that would lose the sent funds is refused, and so is text that names no recipient', async () => {
    const refusals: [string, string][] = [
      ['0x0000000000000000000000000000000000000000', 'BURN_ADDRESS_RECIPIENT'],
      ['0x0000000000000000000000000000000000000004', 'BURN_ADDRESS_RECIPIENT'],
      ['0x000000000000000000000000000000000000dead', 'BURN_ADDRESS_RECIPIENT'],
      [dollar, 'TOKEN_CONTRACT_RECIPIENT'],
      [payer.chain.tokens[1]!.address, 'TOKEN_CONTRACT_RECIPIENT'],
      ['somebody', 'DESTINATION_INVALID'],
      ['0x1234', 'DESTINATION_INVALID'],
      [
        own.replace(/[a-f]/, (letter) => letter.toUpperCase()),
        own.match(/[a-f]/) ? 'DESTINATION_INVALID' : '',
      ],
      ['nobody.eth', 'DESTINATION_NOT_FOUND'],
    ]
    for (const [destination, code] of refusals)
      expect(await quoteTo(destination), destination).toMatchObject({ status: 400, body: { code } })
  })

  it('that is a contract of the service is refused although the user accepts it', async () => {
    const other = await openSender(service, payer)
    const { relayer, sending, venues } = service.parts.chains[0]!
    const [pool] = await service.services.supportedPools.list(other.accountId)
    const refusals: [Address, string][] = [
      ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'BURN_ADDRESS_RECIPIENT'],
      [pool!.poolAddress, 'SERVICE_CONTRACT_RECIPIENT'],
      [relayer!.entrypoint, 'SERVICE_CONTRACT_RECIPIENT'],
      [relayer!.multicall!, 'SERVICE_CONTRACT_RECIPIENT'],
      [sending!.orchestrator, 'SERVICE_CONTRACT_RECIPIENT'],
      [sending!.accountImplementation, 'SERVICE_CONTRACT_RECIPIENT'],
      [venues.uniswap!.router, 'SERVICE_CONTRACT_RECIPIENT'],
    ]
    for (const [destinationAddress, code] of refusals)
      for (const type of ['send', 'incognito_send']) {
        const accepted = { type, destinationAddress, acknowledgedContractRecipient: destinationAddress }
        const answer = await other.quote({ token: dollar, amount: '1000', ...accepted })
        expect(answer, `${type} to ${destinationAddress}`).toMatchObject({ status: 400, body: { code } })
      }
  })

  it('that is sanctioned is refused with a contact address', async () => {
    expect(await quoteTo(listed)).toEqual({
      status: 451,
      body: {
        error: 'Unavailable',
        message: expect.any(String),
        code: 'ADDRESS_NOT_SERVED',
        recoveryUrl: 'https://service.example/recover',
      },
    })
  })

  it('of a spend from a pool is checked like that of a send', async () => {
    const { resolver } = payer.chain.names
    const spendTo = (destinationAddress: string) => quoteTo(destinationAddress, { type: 'incognito_send' })
    expect(await spendTo(listed)).toMatchObject({ status: 451, body: { code: 'ADDRESS_NOT_SERVED' } })
    expect(await spendTo(resolver)).toMatchObject({ status: 400, body: { code: 'CONTRACT_RECIPIENT' } })
    expect(await spendTo(imitate(own))).toMatchObject({
      status: 409,
      body: { code: 'ADDRESS_POISONING_MATCH', matchedAddress: own },
    })
    // Nothing is said against anybody else: it is the funds that are missing.
    expect(await spendTo(somebody())).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
  })

  it('can be given by its name, which the quote shows', async () => {
    const { deployer } = deriveAccounts()
    const { sender: writer, reader } = connectWallet(payer.chain, deployer.privateKey)
    const named = somebody()
    const data = encodeFunctionData({
      abi: parseAbi(['function setAddr(bytes32 node, address addr)']),
      args: [namehash(CLIENT_NAME), named],
    })
    const hash = await writer.sendTransaction({ to: payer.chain.names.resolver, data })
    await reader.waitForTransactionReceipt({ hash })
    expect(await quoteTo(CLIENT_NAME.toUpperCase())).toMatchObject({
      status: 200,
      body: { outputRecipient: named, destinationName: { name: CLIENT_NAME, service: 'ens' } },
    })
    const avatar = await sender.get(`/destination-avatar?destinationAddress=${CLIENT_NAME}`)
    expect(avatar).toEqual({ status: 200, body: { avatarUrl: CLIENT_PICTURE } })
    expect(await sender.get(`/destination-avatar?destinationAddress=${named}`)).toEqual({
      status: 200,
      body: { avatarUrl: null },
    })
  })
})
