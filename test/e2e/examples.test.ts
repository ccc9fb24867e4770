import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPayer } from '../harness/chain-actors.ts'
import { runCli } from '../harness/run-cli.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openNewClient } from './examples/client.ts'
import { followBalances, type BalanceChange } from './examples/follow-balances.ts'
import { saveContact, type Contact } from './examples/save-contact.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const ALICE = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

test('a contact is saved and renamed by the spending key', async () => {
  const client = await openNewClient({ url: service.url })
  const lowerCase = ALICE.toLowerCase() as `0x${string}`
  expect(await saveContact(client, lowerCase, 'Alice')).toMatchObject({ address: ALICE, name: 'Alice' })
  await saveContact(client, ALICE, 'Alice B.')
  const path = `/v1/accounts/${client.accountId}/address-book`
  const { entries } = await client.ask<{ entries: Contact[] }>('GET', path)
  expect(entries).toMatchObject([{ address: ALICE, name: 'Alice B.' }])

  const other = await openNewClient({ url: service.url })
  const stolen = { ...client, signMessage: other.signMessage }
  await expect(saveContact(stolen, ALICE, 'Mallory')).rejects.toThrow('CONTACT_SIGNATURE_INVALID')
})

test('a payment shows up while the account is followed', async () => {
  const client = await openNewClient({ url: service.url })
  const { address } = await client.receive()
  const leave = new AbortController()
  const changes = followBalances(client, leave.signal)
  const next = changes.next()
  const payer = await openPayer(service, 3)
  await payer.payNative(address, parseEther('0.5'))
  const paid = { token: zeroAddress, visible: { available: String(parseEther('0.5')), pending: '0' } }
  for (let change = await next; ; change = await changes.next()) {
    expect(change.value).toMatchObject({ chainId: payer.chain.chainId })
    // Told as soon as a block names the address, and again when its balance has been read.
    const [balance] = (change.value as BalanceChange).balance.balances
    if (!balance) continue
    expect(balance).toMatchObject(paid)
    break
  }
  leave.abort()
  const foreign = followBalances({ ...client, token: 'nonsense' }, AbortSignal.timeout(10_000))
  await expect(foreign.next()).rejects.toThrow('UNAUTHORIZED')
})

test('the address book’s example runs from the command line', async () => {
  const script = 'test/e2e/examples/save-contact.ts'
  const { code, stdout, stderr } = await runCli(script, [service.url], {})
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `Alice: ${ALICE}\n` })
})
