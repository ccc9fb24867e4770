import { createWalletClient, erc20Abi, getAddress, http, parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { computeAddresses } from '../../../devnet/deploy/devnet-addresses.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { deposit } from '../../../devnet/wallet/deposit.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { balanceEntry } from '../../../../schema/market/balance-entry.ts'
import { addressBalances, balanceSheet, fundedAddresses } from '../../../../schema/account/balances/model.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { openClient } from '../../../../schema/client/account/open-client.ts'

type Client = Awaited<ReturnType<typeof openClient>>
type Entry = z.input<typeof balanceEntry>

let service: TestService
let payer: Payer
let client: Client
let received: { address: Address; nonce: string }[]
let dollar: { address: Address; decimals: number; symbol: string }

const CHAIN = 31_337
const { collectible } = computeAddresses(deriveAccounts().deployer.address, CHAIN)

const openAccount = () =>
  openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

beforeAll(async () => {
  service = await startTestService({
    devnet: { ports: [0, 0], deterministic: true, aspDelaySeconds: 1, chainIds: [CHAIN] },
  })
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!
  client = await openAccount()
  received = [await client.receive(), await client.receive(), await client.receive()]
  const [first, second, third] = received.map(({ address }) => address) as [Address, Address, Address]
  await payer.payNative(first, parseEther('1'))
  await payer.payNative(second, 1n)
  await payer.payToken(dollar.address, second, 1_234_567n)
  await payer.payToken(dollar.address, third, 1n)
  await payer.payToken(dollar.address, third, 2n)
  await payer.mintCollectible(collectible, first, 7n)
  await waitUntilIndexed(service, payer)
})
afterAll(() => service?.stop())

const path = (rest: string) => `/v1/accounts/${client.accountId}/${rest}`
const readSheet = async (rest = 'balance') => {
  const answer = await client.ask<z.input<typeof balanceSheet>>('GET', path(rest))
  balanceSheet.parse(answer)
  return answer
}
const entryOf = (entries: Entry[], token: Address) => entries.find((entry) => entry.token === token)

test("balances over all addresses equal the chain's, to the wei", async () => {
  const { reader } = payer.wallet
  let native = 0n
  let dollars = 0n
  for (const { address } of received) {
    native += await reader.getBalance({ address })
    dollars += await reader.readContract({
      address: dollar.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })
  }
  const { balances, totalUsdAmount, pricing, feeWaiver } = await readSheet()
  expect(entryOf(balances, zeroAddress)?.visible).toEqual({ available: String(native), pending: '0' })
  expect(entryOf(balances, dollar.address)?.visible).toEqual({ available: String(dollars), pending: '0' })
  expect(balances).toHaveLength(2)
  const worth = balances.reduce((sum, { usdAmount }) => sum + (usdAmount ?? 0), 0)
  expect(totalUsdAmount).toBeCloseTo(worth, 6)
  expect(pricing).toMatchObject({ nonZeroAssetCount: 2, pricedAssetCount: 2, unpricedAssetCount: 0 })
  expect(feeWaiver).toEqual({ active: false, source: null, activeUntil: null })
})

test('balances can be asked for by chain and by token, received or not', async () => {
  const amounts = ({ balances }: { balances: Entry[] }) =>
    balances.map(({ token, visible }) => [token, visible])
  expect(amounts(await readSheet(`balance/${CHAIN}`))).toEqual(amounts(await readSheet()))
  const one = await client.ask<Entry>('GET', path(`balance/${CHAIN}/${dollar.address}`))
  balanceEntry.parse(one)
  expect(one.visible.available).toBe('1234570')
  const euro = payer.chain.tokens.find(({ symbol }) => symbol === 'TEUR')!
  const none = await client.ask<Entry>('GET', path(`balance/${CHAIN}/${euro.address}`))
  expect(none).toMatchObject({ tokenSymbol: 'TEUR', visible: { available: '0', pending: '0' }, usdAmount: 0 })
})

test('an unknown chain is not found, and an address that is no token has no decimals', async () => {
  for (const place of ['balance/5', `balance/5/${dollar.address}`, `tokens/5/${dollar.address}`])
    await expect(client.ask('GET', path(place)), place).rejects.toThrow(/: 404 .*CHAIN_NOT_SUPPORTED/)
  // If the chain is not part of the path, the request itself is wrong.
  await expect(client.ask('GET', path('address-balances?chainId=5'))).rejects.toThrow(
    /: 400 .*CHAIN_NOT_SUPPORTED/,
  )
  for (const [query, status] of [
    [`accountChainBalance(accountId: "${client.accountId}", chainId: 5) { totalUsdAmount }`, 404],
    [
      `accountToken(accountId: "${client.accountId}", chainId: 5, address: "${dollar.address}") { __typename }`,
      404,
    ],
    [`addressBalances(accountId: "${client.accountId}", chainId: 5) { total }`, 400],
    [`tokenLookup(chainId: 5, address: "${dollar.address}") { symbol }`, 400],
  ] as const) {
    const { errors } = await client.ask<{ errors: object[] }>('POST', '/graphql', { query: `{ ${query} }` })
    expect(errors, query).toMatchObject([{ extensions: { status, code: 'CHAIN_NOT_SUPPORTED' } }])
  }
  await expect(client.ask('GET', path(`balance/${CHAIN}/${received[0]!.address}`))).rejects.toThrow(
    /: 503 .*TOKEN_METADATA_UNAVAILABLE/,
  )
})

test('each address has its own balances, and funded addresses are those that hold something', async () => {
  const answer = await client.ask<z.input<typeof addressBalances>>('GET', path('address-balances'))
  addressBalances.parse(answer)
  expect(answer.total).toBe(3)
  expect(answer.addresses.map(({ address, nonce }) => ({ address, nonce: String(nonce) }))).toEqual(
    received.map(({ address, nonce }) => ({ address, nonce })),
  )
  const third = answer.addresses[2]?.balances
  expect(third).toMatchObject([
    { token: dollar.address, amount: '3', available: '3', pending: '0', idCount: 2 },
  ])
  const paged = await client.ask<z.input<typeof addressBalances>>(
    'GET',
    path(`address-balances?limit=1&offset=1&token=${dollar.address}&chainId=${CHAIN}`),
  )
  expect(paged).toMatchObject({ total: 2, addresses: [{ address: received[2]!.address }] })
  const funded = await client.ask<z.input<typeof fundedAddresses>>('GET', path('funded-addresses'))
  fundedAddresses.parse(funded)
  expect(funded.addresses).toHaveLength(3)
})

test('another account sees none of the balances', async () => {
  const other = await openAccount()
  const sheet = await other.ask<z.input<typeof balanceSheet>>(
    'GET',
    `/v1/accounts/${other.accountId}/balance`,
  )
  expect(sheet).toMatchObject({ balances: [], totalUsdAmount: 0 })
  await expect(other.ask('GET', path('balance'))).rejects.toThrow(/: 404 /)
})

test('amounts that quotes reserve are pending, and never more than the balance', async () => {
  const { pool } = service.database
  const [first] = received
  const lock = (amount: bigint, ceiling: bigint) =>
    pool.query(sql.typeAlias('void')`
    insert into locked_funds (chain_id, address, token, amount, ceiling)
    values (${CHAIN}, ${first!.address}, ${zeroAddress}, ${amount}, ${ceiling})`)
  await expect(lock(parseEther('2'), parseEther('1'))).rejects.toMatchObject({
    constraint: 'locked_funds_within_holding',
  })
  await lock(parseEther('0.4'), parseEther('1'))
  const { balances } = await readSheet()
  expect(entryOf(balances, zeroAddress)?.visible).toEqual({
    available: String(parseEther('0.6') + 1n),
    pending: String(parseEther('0.4')),
  })
  await pool.query(sql.typeAlias('void')`delete from locked_funds`)
})

test('a deposit is pending until the ASP approves it, then available', async () => {
  const { address, nonce } = await client.receive()
  await payer.payNative(address, parseEther('1'))
  const [pool] = payer.chain.pools
  const wallet = connectWallet(payer.chain, generatePrivateKey())
  const account = client.controlOf(nonce)
  const sender = createWalletClient({
    account,
    chain: wallet.reader.chain,
    transport: http(payer.chain.rpcUrl),
  })
  const { note } = await deposit(
    { ...wallet, account, sender },
    { entrypoint: payer.chain.entrypoint, asset: pool!.asset, pool: pool!.pool, gross: parseEther('0.5') },
  )
  const tiers = async () => entryOf((await readSheet()).balances, zeroAddress)?.incognito.pooled
  await expect
    .poll(tiers)
    .toMatchObject({ available: String(note.value), pendingApproval: '0', declined: '0' })
  expect(await client.ask('GET', `/v1/accounts/${client.accountId}`)).toMatchObject({ hasPoolDeposits: true })
})

test('an account with 2,000 dust tokens is shown 200 of them, and all that are listed or added', async () => {
  const victim = await openAccount()
  const { address } = await victim.receive()
  await payer.payNative(address, 7n)
  await payer.payToken(dollar.address, address, 5n)
  await waitUntilIndexed(service, payer)
  const dust = Array.from({ length: 2_000 }, (_, place) =>
    getAddress(`0xd0${place.toString(16).padStart(38, '0')}`),
  )
  await sendDust(dust, address)
  const added = dust.at(-1)!
  const ask = <Answer>(rest: string) => victim.ask<Answer>('GET', `/v1/accounts/${victim.accountId}/${rest}`)
  await victim.ask('POST', `/v1/accounts/${victim.accountId}/tokens`, { chainId: CHAIN, address: added })

  const held = (
    await ask<z.input<typeof addressBalances>>(`address-balances?address=${address}`)
  ).addresses.flatMap(({ balances }) => balances)
  const sheet = await ask<z.input<typeof balanceSheet>>('balance')
  const funded = await ask<z.input<typeof fundedAddresses>>('funded-addresses')
  const summed = await ask<{ items: { summary: { balances: { token: Address }[] } }[] }>(
    'addresses?includeSummary=true',
  )
  for (const tokens of [
    held.map(({ token }) => token),
    sheet.balances.map(({ token }) => token),
    funded.addresses.flatMap(({ balances }) => balances.map(({ token }) => token)),
    summed.items.flatMap(({ summary }) => summary.balances.map(({ token }) => token)),
  ]) {
    expect(tokens).toEqual(expect.arrayContaining([zeroAddress, dollar.address, added]))
    // The 200, the one that was added, the dollar and the native coin.
    expect(tokens).toHaveLength(203)
  }
  // Hidden tokens count as received, but not as trusted.
  const dollars = held.find(({ token }) => token === dollar.address)
  expect(dollars).toMatchObject({ idCount: 1, addressSummary: { rawReceiveCount: 2_002, receiveCount: 203 } })
  const untold = dust.find((token) => !held.some((one) => one.token === token))!
  const named = await ask<z.input<typeof addressBalances>>(
    `address-balances?chainId=${CHAIN}&token=${untold}`,
  )
  expect(named.addresses).toMatchObject([{ address, balances: [{ token: untold, amount: '1' }] }])
})

/** As the indexer writes it, once for each token. */
async function sendDust(tokens: readonly Address[], to: Address): Promise<void> {
  const { pool } = service.database
  const places = sql.fragment`unnest(${sql.array([...tokens], 'text')}) with ordinality as dust (token, place)`
  await pool.query(sql.typeAlias('void')`
    insert into token_source (chain_id, address, source, source_id, symbol, name, decimals, total_supply)
    select ${CHAIN}::bigint, token, 'chain', token, 'GRAIN' || place, 'Grain ' || place, 18, 1000000 from ${places}`)
  await pool.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${CHAIN}::bigint, ${to}::text, 'erc20', token, 1, false, 1, '0x00' from ${places}`)
  await pool.query(sql.typeAlias('void')`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select ${CHAIN}::bigint, '0xd057', 'log', place, 1, now(), '0xd057' || place, 'erc20', token, ${zeroAddress}::text,
      ${to}::text, 1 from ${places}`)
}
