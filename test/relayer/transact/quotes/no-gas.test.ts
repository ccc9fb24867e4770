import { parseEther, toHex, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { openClient, type Client } from '../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { signUnchecked, submitUnchecked } from '../../../harness/sign-unchecked.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { call } from '../../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { startSendingService } from './start-sending-service.ts'

let service: TestService
let payer: Payer
let owner: Client
let signers: readonly Address[]

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 7)
  owner = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const { address } = await owner.ask<{ address: Address }>(
    'POST',
    `/v1/accounts/${owner.accountId}/payment-address`,
    {},
  )
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const { json } = await call(`${service.url}/status.json`)
  const [chain] = (json as unknown as { chains: { signers: { address: Address }[] }[] }).chains
  signers = chain!.signers.map((signer) => signer.address)
})
afterAll(() => service?.stop())

const setBalance = (address: Address, wei: bigint) =>
  askNode(payer.chain.rpcUrl, 'anvil_setBalance', address, toHex(wei))

/** An answer to the account, with its headers. */
const ask = (path: string, body: object) =>
  call(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'idempotency-key': crypto.randomUUID(),
    },
    body,
  })
const ofAccount = (path: string) => `/v1/accounts/${owner.accountId}${path}`
const send = () => ({
  type: 'send',
  chainId: payer.chain.chainId,
  token: zeroAddress,
  amount: parseEther('0.1').toString(),
  destinationAddress: privateKeyToAddress(generatePrivateKey()),
})

const countQuotes = () =>
  service.database.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`select count(*) from quote`)
const readChecks = async () => {
  const { status, json } = await call(`${service.url}/health/ready`)
  return { status, ...(json as { ready: boolean; checks: Record<string, { ok: boolean }> }) }
}

test('a chain whose signers have no coins refuses to send and says why, locks nothing, and still answers reads', async () => {
  const { chainId } = payer.chain
  const sending = `sending on chain ${chainId}`
  const before = (await ask(ofAccount('/quote'), send())).json as unknown as Quote
  const signed = await signUnchecked(owner, before)
  expect((await readChecks()).checks).not.toHaveProperty(sending)

  for (const address of signers) await setBalance(address, 1n)
  await payer.payNative(payer.wallet.account.address, 1n)
  await expect.poll(readChecks, { timeout: 60_000 }).toMatchObject({
    status: 200,
    ready: true,
    checks: { [sending]: { ok: false, detail: 'no signer has coins for gas' } },
  })

  const quotes = await countQuotes()
  const refused = async (path: string, body: object) => {
    const answer = await ask(path, body)
    expect(answer, path).toMatchObject({ status: 503, json: { code: 'NO_GAS_FOR_SENDING' } })
    expect(answer.headers.get('retry-after'), path).toBe('60')
  }
  await refused(ofAccount('/quote'), send())
  await refused(ofAccount(`/quotes/${before.quoteId}/refresh`), {})
  await refused(ofAccount('/submit'), signed)
  await refused('/relayer/quote', {
    chainId,
    amount: parseEther('1').toString(),
    asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    recipient: payer.wallet.account.address,
  })
  expect(await countQuotes()).toBe(quotes)

  const most = await ask(ofAccount('/max-spendable'), { type: 'send', chainId, token: zeroAddress })
  expect(most).toMatchObject({ status: 200 })
  expect(await owner.ask<object>('GET', ofAccount('/balance'))).toMatchObject({})

  // One signer with coins serves.
  await setBalance(signers[0]!, parseEther('1'))
  await payer.payNative(payer.wallet.account.address, 1n)
  const noRelays = { ok: false, detail: 'no signer of relays has coins for gas' }
  await expect.poll(readChecks, { timeout: 60_000 }).toMatchObject({ checks: { [sending]: noRelays } })
  expect(await ask(ofAccount('/quote'), send())).toMatchObject({ status: 200 })
  await submitUnchecked(owner, before)
  await setBalance(signers.at(-1)!, parseEther('1'))
  await payer.payNative(payer.wallet.account.address, 1n)
  await expect.poll(async () => (await readChecks()).checks, { timeout: 60_000 }).not.toHaveProperty(sending)
})
