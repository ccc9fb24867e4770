import {
  createTestClient,
  http,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  parseEther,
  zeroAddress,
  type Address,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import type { Client } from '../../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { signUnchecked, submitUnchecked } from '../../../../harness/sign-unchecked.ts'
import { BLOCKED, ORIGIN, somebody, startAppWorld, type AppWorld } from './start-app-world.ts'

const OTHER = 'https://other.example'
const SCREENED = getAddress('0x00000000000000000000000000000000005c4ee4')

let world: AppWorld
let { service, payer, token, open, connect, openConnected, ask } = {} as AppWorld
let client: Client

beforeAll(async () => {
  world = await startAppWorld([SCREENED])
  ;({ service, payer, token, open, connect, openConnected, ask } = world)
  client = await open()
})
afterAll(() => world?.service.stop())

interface Listed {
  kind: string
  calldata?: string
  dappMeta?: Record<string, unknown>
}

const listActivity = async (owner: Client) =>
  (await owner.ask<{ activity: Listed[] }>('GET', `/v1/accounts/${owner.accountId}/activities`)).activity

describe('the address for an app', () => {
  test('is the same for one app and another for every other, also when they ask at once', async () => {
    const told = await Promise.all([ORIGIN, ORIGIN, OTHER, ORIGIN].map((origin) => connect(client, origin)))
    expect(new Set(told.map(({ address }) => address)).size).toBe(2)
    expect(told.filter(({ isNew }) => isNew)).toHaveLength(2)
    expect(told[0]?.app).toEqual({
      origin: ORIGIN,
      displayName: 'The App',
      iconUrl: null,
      recognitionStatus: 'recognised',
      verified: true,
    })
    const { items } = await client.ask<{ items: { address: Address; app: { origin: string } }[] }>(
      'GET',
      `/v1/accounts/${client.accountId}/dapp-addresses`,
    )
    expect(new Set(items.map(({ address }) => address))).toEqual(new Set(told.map(({ address }) => address)))
  })

  test('is refused to a blocked app and to an invalid origin', async () => {
    await expect(connect(client, BLOCKED)).rejects.toThrow('APP_BLOCKED')
    await expect(connect(client, `${ORIGIN}/`)).rejects.toThrow('expected the origin of a page')
  })
})

describe('a call of an app', () => {
  test('makes all calls in their order from the one address that the app knows, and pays the fee from it', async () => {
    const { owner, address } = await openConnected(ORIGIN)
    const [friend, spender] = [somebody(), somebody()]
    await payer.payToken(token, address, 100n)
    await waitUntilIndexed(service, payer)
    const quote = await ask(owner, address, {
      description: 'Approve and pay',
      calls: [
        {
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 7n] }),
        },
        {
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 9n] }),
        },
        { to: friend, value: '5' },
      ],
    })
    expect(quote).toMatchObject({ origin: ORIGIN, connectedAddress: address, fees: { service: '0' } })
    expect(quote.selectedFundingSources.map((source) => source.address)).toEqual([address])
    await submitUnchecked(owner, quote)
    const ofToken = { address: token, abi: erc20Abi } as const
    const { reader } = payer.wallet
    expect(
      await reader.readContract({ ...ofToken, functionName: 'allowance', args: [address, spender] }),
    ).toBe(7n)
    expect(await reader.readContract({ ...ofToken, functionName: 'balanceOf', args: [friend] })).toBe(9n)
    expect(await payer.wallet.reader.getBalance({ address: friend })).toBe(5n)
    await waitUntilIndexed(service, payer)
    const left = await payer.wallet.reader.getBalance({ address })
    expect(left).toBe(parseEther('1') - BigInt(quote.amountIn))
    const [activity] = await listActivity(owner)
    expect(activity).toMatchObject({
      kind: 'DAPP_CALL',
      quoteId: quote.quoteId,
      isExternal: false,
      dappMeta: {
        origin: ORIGIN,
        description: 'Approve and pay',
        iconUrl: null,
        verified: true,
        connectedAddress: address,
        isAccountSetup: true,
      },
    })
    expect(JSON.parse(activity?.calldata ?? '')).toEqual([
      { to: token, value: '0', data: expect.stringMatching(/^0x095ea7b3/) },
      { to: token, value: '0', data: expect.stringMatching(/^0xa9059cbb/) },
      { to: friend, value: '5', data: '0x' },
    ])
  })

  test('may cost its fee alone', async () => {
    const { owner, address } = await openConnected(ORIGIN)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [somebody(), 1n] })
    const quote = await ask(owner, address, { calls: [{ to: token, data }] })
    expect(quote).toMatchObject({ expectedOutput: '0', amountIn: quote.fees.total })
    await submitUnchecked(owner, quote)
    const again = await ask(owner, address, { calls: [{ to: token, data }] })
    await submitUnchecked(owner, again)
    await waitUntilIndexed(service, payer)
    const [second, first] = await listActivity(owner)
    expect([first, second].map((one) => one?.dappMeta)).toMatchObject([
      { isAccountSetup: true, description: null },
      { isAccountSetup: false },
    ])
  })

  test('is never paid by another address of the account', async () => {
    const { owner, address } = await openConnected(ORIGIN, parseEther('0.1'))
    const { address: rich } = await owner.receive()
    await payer.payNative(rich, parseEther('10'))
    await waitUntilIndexed(service, payer)
    const refused = ask(owner, address, { calls: [{ to: somebody(), value: String(parseEther('1')) }] })
    await expect(refused).rejects.toThrow('INSUFFICIENT_BALANCE')
  })

  test('is refused where it would give the account away or join its addresses', async () => {
    const { owner, address } = await openConnected(ORIGIN)
    const { address: own } = await owner.receive()
    const { address: ofOther } = await connect(owner, OTHER)
    const { sending } = service.parts.chains[0]!
    const refusals: [() => Promise<unknown>, string][] = [
      [() => ask(owner, somebody()), 'NOT_OWN_ADDRESS'],
      [() => ask(client, address), 'NOT_OWN_ADDRESS'],
      [() => ask(owner, ofOther), 'ADDRESS_OF_ANOTHER_APP'],
      [() => ask(owner, address, { origin: 'https://third.example' }), 'ADDRESS_OF_ANOTHER_APP'],
      [() => ask(owner, own), 'ADDRESS_OF_ANOTHER_APP'],
      [() => ask(owner, address, { origin: BLOCKED }), 'APP_BLOCKED'],
      [() => ask(owner, address, { origin: 'https://xn--' }), 'expected the origin of a page'],
      ...[
        address,
        own,
        sending!.orchestrator,
        sending!.accountImplementation,
        sending!.accountProxy,
        // ERC-7821 reads it as the account itself.
        zeroAddress,
      ].map((to): [() => Promise<unknown>, string] => [
        () => ask(owner, address, { calls: [{ to: somebody() }, { to }] }),
        'calls.1.to: an app may not call the account itself',
      ]),
      [() => ask(owner, address, { calls: [{ to: SCREENED, value: '1' }] }), '451'],
      [
        () => ask(owner, address, { token, calls: [{ to: somebody(), value: '1' }] }),
        'pay their fee in them',
      ],
      // NUL, which PostgreSQL cannot store, half a character, and marks that turn the line around.
      ...['Pay\0', 'Pay\ud83d', 'Pay\u202e', 'Pay\nme'].map(
        (description): [() => Promise<unknown>, string] => [
          () => ask(owner, address, { description }),
          'expected one line without control characters',
        ],
      ),
      [() => ask(owner, address, { calls: [] }), '400'],
      [() => ask(owner, address, { calls: Array.from({ length: 17 }, () => ({ to: somebody() })) }), '400'],
      [
        () => ask(owner, address, { calls: [{ to: token, data: `0x${'00'.repeat(65_537)}` }] }),
        '65536 bytes',
      ],
      [
        () =>
          ask(owner, address, {
            calls: [
              {
                to: token,
                data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [own, 1n] }),
              },
            ],
          }),
        'SIMULATION_FAILED',
      ],
    ]
    for (const [refused, reason] of refusals) await expect(refused()).rejects.toThrow(reason)
    expect(await ask(owner, address)).toMatchObject({ connectedAddress: address })
  })

  test('binds an address that no app knew to its app, which payers are then never given again', async () => {
    const owner = await open()
    const { address } = await owner.receive()
    await payer.payNative(address, parseEther('1'))
    await waitUntilIndexed(service, payer)
    await ask(owner, address)
    await expect(ask(owner, address, { origin: OTHER })).rejects.toThrow('ADDRESS_OF_ANOTHER_APP')
    expect((await connect(owner, ORIGIN)).address).toBe(address)
  })
})

test("an app's request is shown while it is pending, and forgotten with an unsubmitted quote", async () => {
  const { owner, address } = await openConnected(OTHER)
  const { quoteId } = await ask(owner, address, { origin: OTHER })
  const count = () =>
    service.database.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*)::int4 as count from dapp_call where quote_id = ${quoteId}::uuid`)
  expect(await count()).toBe(1)
  await owner.ask('POST', `/v1/accounts/${owner.accountId}/unlock`, { quoteId })
  expect(await count()).toBe(0)
  const quote = await ask(owner, address, { origin: OTHER, description: 'Pay' })
  const control = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) })
  await control.setAutomine(false)
  try {
    const signed = await signUnchecked(owner, quote)
    await owner.ask('POST', `/v1/accounts/${owner.accountId}/submit`, signed)
    const { pending } = await owner.ask<{ pending: Listed[] }>(
      'GET',
      `/v1/accounts/${owner.accountId}/activities/pending`,
    )
    expect(pending[0]).toMatchObject({
      kind: 'DAPP_CALL',
      dappMeta: { origin: OTHER, verified: false, description: 'Pay', connectedAddress: address },
      calldata: expect.stringContaining('"value":"1"'),
    })
  } finally {
    await control.setAutomine(true)
    await control.mine({ blocks: 1 })
  }
})

test('an address that an app knows pays alone: it is joined with no other, whatever the user accepts', async () => {
  const { owner, address } = await openConnected(ORIGIN)
  const { address: other } = await owner.receive()
  await payer.payNative(other, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const send = (amount: string, changes = {}) =>
    owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/quote`, {
      type: 'send',
      chainId: payer.chain.chainId,
      token: zeroAddress,
      amount: String(parseEther(amount)),
      destinationAddress: somebody(),
      ...changes,
    })
  await expect(send('1.5')).rejects.toThrow('INSUFFICIENT')
  await expect(send('1.5', { acknowledgedProvenanceMix: [address, other] })).rejects.toThrow('INSUFFICIENT')
  const alone = await send('0.9', { singleAddress: address })
  expect(alone.selectedFundingSources.map((source) => source.address)).toEqual([address])
})
