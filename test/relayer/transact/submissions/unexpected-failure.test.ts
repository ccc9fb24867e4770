import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { call, post, type GraphqlFault } from '../../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from './open-wallet-sender.ts'

interface Line {
  level: string
  msg: string
  requestId?: string
  err?: { stack?: string; cause?: { message?: string } }
}

let service: TestService
let payer: Payer
let sender: WalletSender
let lines: Line[] = []

beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) }
  service = await startSendingService({ logLevel: 'warn' }, log)
  payer = await openPayer(service, 5)
  sender = await openWalletSender(service, payer)
  await service.database.pool.query(sql.typeAlias('void')`
    create function fail_intent() returns trigger language plpgsql as
      $$begin raise 'a fault that nobody foresees'; end$$`)
})
afterAll(() => service?.stop())

/** A quote of an app's call, signed. */
async function signCall() {
  const origin = 'https://app.example'
  const { body } = await sender.post('/dapp-addresses', { origin })
  const { address } = body as { address: `0x${string}` }
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const calls = [{ to: privateKeyToAddress(generatePrivateKey()), value: '1' }]
  const quote = await sender.quote({ type: 'dapp_call', origin, connectedAddress: address, calls })
  return sender.sign(quote)
}

type Signed = Awaited<ReturnType<typeof signCall>>
interface Refusal {
  id: string | null
  status: unknown
  error: unknown
  message: unknown
}

const headers = () => ({ authorization: `Bearer ${sender.client.token}` })
const DOORS: Record<string, (signed: Signed) => Promise<Refusal>> = {
  REST: async (body) => {
    const url = `${service.url}/v1/accounts/${sender.client.accountId}/submit`
    const answer = await call(url, { method: 'POST', headers: headers(), body })
    const { error, message } = answer.json ?? {}
    return { id: answer.headers.get('x-request-id'), status: answer.status, error, message }
  },
  GraphQL: async (input) => {
    const query = `mutation ($id: UUID!, $input: QuoteSignaturesInput!) {
      submitQuote(accountId: $id, input: $input) { status }
    }`
    const { quoteId, intents, delegations } = input
    const variables = {
      id: sender.client.accountId,
      input: {
        quoteId,
        intents: intents.map(({ eoa, signature }) => ({ eoa, signature })),
        delegations: delegations.map(({ address, signature }) => ({ address, signature })),
      },
    }
    const answer = await post(`${service.url}/graphql`, { query, variables }, headers())
    const errors = answer.json?.['errors'] as GraphqlFault[] | undefined
    const { message, extensions } = errors?.[0] ?? {}
    const { status, error } = extensions ?? {}
    return { id: answer.headers.get('x-request-id'), status, error, message }
  },
}

it.each(Object.keys(DOORS))(
  "a submission by %s that fails by a fault of the service is logged once with its client's request id, and may come again",
  async (door) => {
    const signed = await signCall()
    const { pool } = service.database
    await pool.query(sql.typeAlias('void')`
      create trigger fail_intent before insert on intent for each row execute function fail_intent()`)
    lines = []
    const { id, status, error, message } = await DOORS[door]!(signed)
    await pool.query(sql.typeAlias('void')`drop trigger fail_intent on intent`)
    expect({ status, error }).toEqual({ status: 500, error: 'Internal Server Error' })
    expect(message).toContain(id)
    expect(message).not.toContain('nobody foresees')
    const told = lines.filter(({ level }) => level === 'error')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ msg: 'a request failed unexpectedly', requestId: id })
    expect(told[0]?.err?.stack).toMatch(/^ {4}at /)
    expect(JSON.stringify(told[0]?.err)).toContain('nobody foresees')

    expect(await sender.get(`/relay-status/${signed.quoteId}`)).toMatchObject({ body: { status: 'locked' } })
    expect(await sender.post('/submit', signed)).toMatchObject({ status: 200, body: { success: true } })
  },
)

it('a submission that was queued is answered so where its status cannot be read', async () => {
  const signed = await signCall()
  const { pool } = service.database
  lines = []
  await pool.query(sql.typeAlias('void')`alter table bridge_order rename to hidden_order`)
  const answer = await sender.post('/submit', signed)
  await pool.query(sql.typeAlias('void')`alter table hidden_order rename to bridge_order`)
  expect(answer).toMatchObject({ status: 200, body: { success: true, status: 'queued' } })
  expect(lines.filter(({ msg }) => msg.startsWith('it could not be waited'))).toHaveLength(1)
  expect(lines.filter(({ msg }) => msg === 'a request failed unexpectedly')).toEqual([])
  const isConfirmed = async () => {
    const { body } = await sender.get(`/relay-status/${signed.quoteId}`)
    return (body as { status: string }).status
  }
  await expect.poll(isConfirmed, { timeout: 60_000 }).toBe('confirmed')
})
