import { parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { openClient, type Client } from '../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { signUnchecked, submitUnchecked } from '../../../harness/sign-unchecked.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { operatorFeeOf, startOpStackDoor, type OpStackDoor } from '../../../harness/start-op-stack-door.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

const ORIGIN = 'https://app.example'
const BYTES = 10n ** 12n
const CHARGES = { base: 0n, perByte: BYTES, operator: { scalar: 4_000_000_000n, constant: 10n ** 15n } }

let world: TestDevnet
let door: OpStackDoor
let service: TestService
let payer: Payer

beforeAll(async () => {
  world = await startTestDevnet()
  const chain = world.devnet.chains[0]!
  door = await startOpStackDoor(chain.rpcUrls[0]!, CHARGES)
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  service = await startTestService({
    ...OWN_LIMITS,
    chains: [{ ...settings, rpcUrls: [door.url], l1Fee: 'op-stack' }],
    feeWaivers: { waiverDays: 0 },
    apps: { recognised: [{ origin: ORIGIN, displayName: 'The App' }] },
  })
  payer = await openPayer({ ...service, dataDir: world.dataDir }, 7)
})
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await world?.[Symbol.asyncDispose]()
})

const somebody = () => privateKeyToAddress(generatePrivateKey())
const open = () =>
  openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

async function receive(owner: Client, amount: bigint): Promise<void> {
  const path = `/v1/accounts/${owner.accountId}/payment-address`
  const { address } = await owner.ask<{ address: Address }>('POST', path, {})
  await payer.payNative(address, amount)
}

const quoteSend = (owner: Client, changes: Record<string, unknown>) =>
  owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/quote`, {
    type: 'send',
    chainId: payer.chain.chainId,
    token: zeroAddress,
    destinationAddress: somebody(),
    ...changes,
  })

/** The booked cost of a quote's transaction, and the cost by its receipt. */
async function readBooks(quoteId: string) {
  const { booked, hash } = await service.database.pool.one(
    sql.type(z.object({ booked: z.bigint(), hash: z.string() }))`
      select sum(gas_spent) as booked, min(tx_hash) as hash
      from send_gas join intent on intent.quote_id = ${quoteId}
      where send_gas.batch_id in (select batch_id from intent_batch_share where quote_id = ${quoteId})`,
  )
  const { gasUsed, effectiveGasPrice } = await payer.wallet.reader.getTransactionReceipt({
    hash: hash as `0x${string}`,
  })
  return { booked, gasUsed, effectiveGasPrice }
}

test('a call of an app with much data pays for its own bytes, is accepted and is booked to the wei', async () => {
  const owner = await open()
  const { address } = await owner.ask<{ address: Address }>(
    'POST',
    `/v1/accounts/${owner.accountId}/dapp-addresses`,
    { origin: ORIGIN },
  )
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const data = `0x${'ab'.repeat(20_000)}`
  const quote = await owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/quote`, {
    type: 'dapp_call',
    chainId: payer.chain.chainId,
    origin: ORIGIN,
    connectedAddress: address,
    calls: [{ to: somebody(), value: '1', data }],
  })
  const network = BigInt(quote.fees.network)
  expect(network).toBeGreaterThan(20_000n * BYTES)
  await submitUnchecked(owner, quote)
  const { booked, gasUsed, effectiveGasPrice } = await readBooks(quote.quoteId)
  expect(booked).toBe(gasUsed * effectiveGasPrice + door.l1Fee + operatorFeeOf(gasUsed, { ...CHARGES }))
  expect(network).toBeGreaterThan(booked - door.l1Fee + 20_000n * BYTES)
})

const readMost = (owner: Client) =>
  owner.ask<{ maxAmount: string; fees: { network: string } }>(
    'POST',
    `/v1/accounts/${owner.accountId}/max-spendable`,
    { type: 'send', chainId: payer.chain.chainId, token: zeroAddress },
  )

test('the amount of max-spendable is quoted and accepted with several addresses, and refreshed once the fees rise', async () => {
  const [owner, other] = await Promise.all([open(), open()])
  for (const amount of ['0.1', '0.2', '0.3']) await receive(owner, parseEther(amount))
  await receive(other, parseEther('0.5'))
  await waitUntilIndexed(service, payer)
  const ofAccount = `/v1/accounts/${owner.accountId}`
  const [first, ofOther] = await Promise.all([readMost(owner), readMost(other)])
  const quote = await quoteSend(owner, { amount: first.maxAmount })
  expect(quote.intents).toHaveLength(3)
  expect(BigInt(quote.fees.network)).toBeLessThanOrEqual(BigInt(first.fees.network))

  await door.charge({ perByte: 10n * CHARGES.perByte })
  while (BigInt((await readMost(other)).fees.network) < 3n * BigInt(ofOther.fees.network))
    await payer.payNative(somebody(), 1n)
  const signed = await signUnchecked(owner, quote)
  await expect(owner.ask('POST', `${ofAccount}/submit`, signed)).rejects.toThrow('QUOTE_REFRESH_REQUIRED')
  await owner.ask('POST', `${ofAccount}/unlock`, { quoteId: quote.quoteId })
  const dearer = await readMost(owner)
  expect(BigInt(dearer.maxAmount)).toBeLessThan(BigInt(first.maxAmount))
  await submitUnchecked(owner, await quoteSend(owner, { amount: dearer.maxAmount }))
})
