import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  http,
  parseAbi,
  parseEther,
  parseGwei,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { activities } from '../../../../../schema/activity/model.ts'
import { pendingActivities } from '../../../../../schema/activity/pending-operations.ts'
import { readQuoteRequest } from '../../../../../schema/transact/kinds/quote-shapes.ts'
import { quoteBody } from '../../../../../schema/transact/model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { sql } from '../../../../../db/connect-database.ts'
import { startService } from '../../../../../gateway/compose.ts'
import { createLogger } from '../../../../../gateway/logging.ts'
import { depositAbi } from '../../../../../relayer/chain/contracts/privacy-pools.ts'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { connectWallet } from '../../../../devnet/wallet/connect-wallet.ts'
import { FIELD_ORDER } from '../../../../../proving/field-element.ts'
import { decodeCalls } from '../../../../../schema/client/chain/decode-call.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { call } from '../../../../harness/call.ts'
import { countRpc } from '../../../../harness/count-rpc.ts'
import { SHARED_THREADS } from '../../../../harness/share-threads.ts'
import { expectNothingLeaked } from '../../../../harness/expect-nothing-leaked.ts'
import {
  listConversions,
  listDeposits,
  precommitmentsFrom,
  startDepositWorld,
  tokenOf,
  type Depositor,
  type DepositQuote,
  type DepositWorld,
} from './start-deposit-world.ts'

let world: DepositWorld
const ONE = parseEther('1')

beforeAll(async () => {
  world = await startDepositWorld()
})
afterAll(() => world?.stop())

const ask = (method: string, ...params: unknown[]) =>
  world.payer.wallet.reader.request({ method, params } as never)
const coinsOf = (address: Address) => world.payer.wallet.reader.getBalance({ address })
const settle = (depositor: Depositor, { quoteId }: DepositQuote, end: string) =>
  expect.poll(() => world.statusOf(depositor, quoteId), { timeout: 60_000 }).toBe(end)

/** Reads the account's activity about a quote. */
async function activityOf(depositor: Depositor, { quoteId }: DepositQuote) {
  await waitUntilIndexed(world.service, world.payer)
  const { body } = await depositor.get('/activities')
  activities.parse(body)
  return (body as z.input<typeof activities>).activity.filter((item) => item.quoteId === quoteId)
}

it('coins become a note of just the amount, from the smallest address that suffices', async () => {
  const alice = await world.openDepositor()
  const [, funding] = await alice.receiveAll(zeroAddress, [5n * ONE, 2n * ONE])
  const [note] = precommitmentsFrom(0)
  const quote = await alice.demand({ amount: String(ONE), precommitments: [note] })
  quoteShape.parse(quote)
  const { fees } = quote
  const gross = ((ONE - 1n) * 10_000n) / 9_950n + 1n
  expect(quote).toMatchObject({
    expectedOutput: String(ONE),
    minimumOutput: String(ONE),
    outputToken: zeroAddress,
    outputRecipient: world.native.pool,
    poolAddress: world.native.pool,
    protocolFeeAmount: '0',
    selectedFundingSources: [{ address: funding }],
    fundingCaveats: [],
    fees: { vetting: String(gross - ONE), deposit: String((gross * 20n) / 10_000n), service: '0' },
    deposits: [
      {
        address: funding,
        ...note,
        amount: String(ONE),
        grossAmount: String(gross),
        depositFee: fees.deposit,
      },
    ],
  })
  expect(BigInt(fees.total)).toBe(BigInt(fees.network) + BigInt(fees.vetting) + BigInt(fees.deposit))
  expect(BigInt(quote.amountIn)).toBe(ONE + BigInt(fees.total))

  expect(await alice.submit(quote)).toMatchObject({ status: 200 })
  await settle(alice, quote, 'confirmed')
  const deposits = await listDeposits(world, world.native)
  expect(deposits.at(-1)).toMatchObject({
    account: funding,
    value: ONE,
    precommitment: BigInt(note!.precommitment),
  })
  expect(await coinsOf(funding!)).toBe(2n * ONE - BigInt(quote.amountIn))
  expect(await listConversions(world, quote.quoteId)).toEqual([
    { place: 0, depositIndex: 0n, hasEnded: false, status: 'succeeded' },
  ])
  const [shown] = await activityOf(alice, quote)
  expect(shown).toMatchObject({
    kind: 'POOL_DEPOSIT',
    executionStatus: 'succeeded',
    platformFeeBps: 20,
    fundingAddresses: [funding],
    pool: {
      poolAddress: world.native.pool,
      tokenAddress: zeroAddress,
      amount: String(ONE),
      aspStatus: 'pending',
      commitmentId: String(deposits.at(-1)?.label),
      vettingFee: fees.vetting,
      depositFee: fees.deposit,
    },
  })
  // The note's index is taken for ever, and its precommitment with it.
  expect(await alice.ask({ amount: String(ONE), precommitments: [note] })).toMatchObject({
    status: 400,
    body: { code: 'DEPOSIT_INDEX_TAKEN', depositIndex: 0, nextDepositIndex: 1 },
  })
  expect(
    await alice.ask({ amount: String(ONE), precommitments: [{ ...note, depositIndex: 1 }] }),
  ).toMatchObject({ status: 400, body: { code: 'PRECOMMITMENT_ALREADY_USED', depositIndex: 1 } })

  // As if it were her ninety-sixth deposit.
  await world.service.database.pool.query(sql.typeAlias('void')`
    update pool_conversion set deposit_index = 95 where quote_id = ${quote.quoteId}`)
  const far = await alice.demand({ amount: String(ONE), precommitments: precommitmentsFrom(100) })
  expect(far.fundingCaveats).toEqual([{ kind: 'beyond_default_scan' }])
  expect(await alice.ask({ amount: String(ONE), precommitments: precommitmentsFrom(106) })).toMatchObject({
    body: { code: 'DEPOSIT_INDEX_GAP', maxDepositIndex: 105, nextDepositIndex: 101 },
  })
})

it('all tokens of several addresses become notes, each in a transaction of its own, and no allowance is left', async () => {
  const bob = await world.openDepositor()
  const token = tokenOf(world.token)
  const unit = 10n ** BigInt(world.token.decimals)
  const amounts = [300n * unit, 100n * unit, 20n * unit, unit]
  const addresses = await bob.receiveAll(token, amounts)
  expect(await bob.ask({ token, maxSend: true })).toMatchObject({
    status: 400,
    body: { code: 'PRECOMMITMENTS_NEEDED', count: 3, nextDepositIndex: 0 },
  })
  const notes = precommitmentsFrom(0, 5)
  const quote = await bob.demand({ token, maxSend: true, precommitments: notes })
  const { deposits, fees } = quote
  // The last address has less than the pool takes from one.
  expect(deposits.map(({ address }) => address)).toEqual(addresses.slice(0, 3))
  expect(deposits.map(({ precommitment }) => precommitment)).toEqual(
    notes.slice(0, 3).map(({ precommitment }) => precommitment),
  )
  expect(quote.fundingCaveats).toEqual([])
  const sum = deposits.reduce((total, { amount }) => total + BigInt(amount), 0n)
  expect(quote.expectedOutput).toBe(String(sum))
  expect(BigInt(quote.amountIn)).toBe(420n * unit)
  expect(BigInt(quote.amountIn)).toBe(sum + BigInt(fees.total))
  expect(await bob.submit(quote)).toMatchObject({ status: 200 })
  const pending = (await bob.get('/activities/pending')).body as z.input<typeof pendingActivities>
  pendingActivities.parse(pending)
  expect(pending.pending).toMatchObject([
    {
      kind: 'POOL_DEPOSIT',
      pool: {
        poolAddress: world.token.pool,
        amount: String(sum),
        aspStatus: 'pending',
        commitmentId: `${quote.quoteId}-0`,
        depositFee: fees.deposit,
      },
    },
  ])
  await settle(bob, quote, 'confirmed')
  const made = (await listDeposits(world, world.token)).filter(({ account }) =>
    addresses.includes(account as Address),
  )
  expect(new Map(made.map(({ account, value }) => [account, String(value)]))).toEqual(
    new Map(deposits.map(({ address, amount }) => [address, amount])),
  )
  expect(new Set(made.map(({ txHash }) => txHash)).size).toBe(3)
  const { reader } = world.payer.wallet
  for (const owner of addresses) {
    const args = [owner, world.payer.chain.entrypoint] as const
    expect(
      await reader.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args }),
    ).toBe(0n)
  }

  // One address unless several are named.
  const [rich, poor] = await bob.receiveAll(token, [50n * unit, 40n * unit])
  const more = { token, amount: String(80n * unit), precommitments: precommitmentsFrom(3, 2) }
  expect(await bob.ask(more)).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES' } })
  const named = await bob.demand({ ...more, spendableAddresses: [rich, poor] })
  expect(named.deposits.map(({ address }) => address)).toEqual([rich, poor])
  // Their sum is less than the asked amount: up to a twentieth stays.
  const rest = 80n * unit - BigInt(named.expectedOutput)
  expect(rest >= 0n && rest <= 4n * unit).toBe(true)
  expect(named.expectedOutput).not.toBe(String(80n * unit))
  expect(named.fundingCaveats).toEqual([])
  // A share is never below the minimum: the larger one gives way.
  await bob.post('/unlock', { quoteId: named.quoteId })
  expect((await listConversions(world, named.quoteId)).map(({ hasEnded }) => hasEnded)).toEqual([true, true])
  const tight = await bob.demand({ ...more, amount: String(52n * unit), spendableAddresses: [rich, poor] })
  const grosses = tight.deposits.map(({ grossAmount }) => BigInt(grossAmount))
  expect(grosses.map((gross) => gross >= 10n * unit)).toEqual([true, true])
  expect(BigInt(tight.expectedOutput)).toBeLessThan(52n * unit)
  expect(BigInt(tight.expectedOutput)).toBeGreaterThanOrEqual((52n * unit * 19n) / 20n)
  await bob.post('/unlock', { quoteId: tight.quoteId })
  // All that is there, twice the same.
  const [one, other] = await bob.receiveAll(token, [30n * unit, 30n * unit])
  const equal = await bob.demand({
    ...more,
    amount: undefined,
    maxSend: true,
    spendableAddresses: [one, other],
  })
  expect(equal.fundingCaveats).toEqual([{ kind: 'amounts_linked' }])
  await bob.post('/unlock', { quoteId: equal.quoteId })
  await bob.demand({ ...more, amount: String(52n * unit), spendableAddresses: [rich, poor] })
  expect(
    await bob.ask({ ...more, amount: String(15n * unit), precommitments: precommitmentsFrom(4) }),
  ).toMatchObject({
    status: 400,
    body: { code: 'DEPOSIT_INDEX_TAKEN', depositIndex: 4, nextDepositIndex: 5 },
  })
})

it('the deposit takes a standing allowance back first', async () => {
  const carol = await world.openDepositor()
  const token = tokenOf(world.token)
  const unit = 10n ** BigInt(world.token.decimals)
  const [address] = await carol.receiveAll(token, [100n * unit])
  const asked = { token, amount: String(20n * unit), precommitments: precommitmentsFrom(0) }
  const first = await carol.demand(asked)
  const callsOf = ({ intents: [intent] }: DepositQuote) => decodeCalls(intent!.executionData)
  expect(callsOf(first)).toHaveLength(3)
  const owner = createWalletClient({
    account: carol.client.controlOf(first.intents[0]!.derivationNonce),
    transport: http(world.payer.chain.rpcUrl),
  })
  await world.payer.payNative(address!, ONE)
  const approval = { address: token, abi: erc20Abi, functionName: 'approve' } as const
  await owner.writeContract({ ...approval, args: [world.payer.chain.entrypoint, 7n], chain: null })
  const { status, body } = await carol.post(
    `/quotes/${first.quoteId}/refresh`,
    {},
    { 'idempotency-key': 'again' },
  )
  expect(status).toBe(200)
  const second = body as unknown as DepositQuote
  expect(second.deposits).toEqual(first.deposits)
  expect(second.fundingCaveats).toEqual([{ kind: 'approval_replaced' }])
  expect(callsOf(second)).toHaveLength(4)
  expect(await carol.submit(second)).toMatchObject({ status: 200 })
  await settle(carol, second, 'confirmed')
  expect((await listConversions(world, first.quoteId)).map(({ hasEnded }) => hasEnded)).toEqual([true])
})

it('an earlier deposit under the same precommitment makes the deposit fail, and nothing is lost but gas', async () => {
  const eve = await world.openDepositor()
  const [first, second] = await eve.receiveAll(zeroAddress, [2n * ONE, 3n * ONE])
  const { chain, wallet } = world.payer
  const copy = (precommitment: string, gas: object = {}) =>
    wallet.sender.writeContract({
      address: chain.entrypoint,
      abi: depositAbi,
      functionName: 'deposit',
      args: [BigInt(precommitment)],
      value: ONE / 100n,
      ...gas,
    })
  const early = await eve.demand({
    amount: String(ONE),
    precommitments: precommitmentsFrom(0),
    singleAddress: first,
  })
  await wallet.reader.waitForTransactionReceipt({ hash: await copy(early.deposits[0]!.precommitment) })
  expect(await eve.submit(early)).toMatchObject({
    status: 400,
    body: { code: 'PRECOMMITMENT_ALREADY_USED', depositIndex: 0 },
  })
  await waitUntilIndexed(world.service, world.payer)
  const asked = { amount: String(ONE), singleAddress: second }
  expect(
    await eve.ask({ ...asked, precommitments: [{ ...early.deposits[0], depositIndex: 1 }] }),
  ).toMatchObject({
    body: { code: 'PRECOMMITMENT_ALREADY_USED' },
  })
  // That index is burnt: the next one is used.
  expect(await eve.ask(asked)).toMatchObject({ body: { code: 'PRECOMMITMENTS_NEEDED', nextDepositIndex: 1 } })

  const late = await eve.demand({ ...asked, precommitments: precommitmentsFrom(1) })
  await ask('evm_setAutomine', false)
  expect(await eve.submit(late)).toMatchObject({ status: 200 })
  const price = parseGwei('500')
  await copy(late.deposits[0]!.precommitment, {
    gas: 1_000_000n,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
  })
  await ask('evm_setAutomine', true)
  await ask('anvil_mine', '0x1')
  await settle(eve, late, 'failed')
  expect(await listConversions(world, late.quoteId)).toEqual([
    { place: 0, depositIndex: 1n, hasEnded: true, status: 'failed' },
  ])
  expect(await coinsOf(second!)).toBe(3n * ONE)
  expect(await activityOf(eve, late)).toMatchObject([
    {
      kind: 'POOL_DEPOSIT',
      executionStatus: 'failed',
      pool: { aspStatus: 'failed', amount: String(ONE), commitmentId: `${late.quoteId}-0`, depositFee: null },
    },
  ])
  await expectNothingLeaked(world.service.database.pool)
})

it('refuses deposits that could never be spent or found, or that are too small or too large', async () => {
  const dave = await world.openDepositor()
  await dave.receiveAll(zeroAddress, [3n * ONE])
  const amount = String(ONE)
  const [note] = precommitmentsFrom(0)
  const refusals: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ amount }, { code: 'PRECOMMITMENTS_NEEDED', count: 1, nextDepositIndex: 0 }],
    [
      { amount, precommitments: [{ depositIndex: 0, precommitment: '0' }] },
      { code: 'PRECOMMITMENT_INVALID' },
    ],
    [
      { amount, precommitments: [{ depositIndex: 0, precommitment: String(FIELD_ORDER) }] },
      { code: 'PRECOMMITMENT_INVALID' },
    ],
    [{ amount, precommitments: [note, { ...note, depositIndex: 1 }] }, { code: 'PRECOMMITMENT_INVALID' }],
    [{ amount, precommitments: [note, ...precommitmentsFrom(2)] }, { code: 'BAD_REQUEST' }],
    [
      { amount, precommitments: precommitmentsFrom(10) },
      { code: 'DEPOSIT_INDEX_GAP', depositIndex: 10, maxDepositIndex: 9, nextDepositIndex: 0 },
    ],
    [
      { amount: '1000', precommitments: [note] },
      { code: 'DEPOSIT_AMOUNT_TOO_SMALL', minAmount: '0.000995000000000001', tokenSymbol: 'ETH' },
    ],
    [{ amount: String(2n ** 128n), precommitments: [note] }, { code: 'DEPOSIT_AMOUNT_TOO_LARGE' }],
    [{ amount: String(100n * ONE), precommitments: [note] }, { code: 'INSUFFICIENT_BALANCE' }],
    [{ amount: String(3n * ONE), precommitments: [note] }, { code: 'INSUFFICIENT_BALANCE' }],
    [{ amount, decimals: 6, precommitments: [note] }, { code: 'DECIMALS_MISMATCH' }],
    [{ amount, token: world.payer.chain.collectible, precommitments: [note] }, { code: 'POOL_NOT_FOUND' }],
    [{ amount, chainId: 5, precommitments: [note] }, { code: 'CHAIN_NOT_SUPPORTED' }],
    [{ amount: '0', precommitments: [note] }, { code: 'BAD_REQUEST' }],
  ]
  for (const [body, expected] of refusals)
    expect(await dave.ask(body), JSON.stringify(expected)).toMatchObject({ status: 400, body: expected })
  const { body } = await dave.post('/max-spendable', {
    type: 'pool_deposit',
    chainId: world.payer.chain.chainId,
    token: zeroAddress,
  })
  const { maxAmount } = body as { maxAmount: string }
  expect(
    await dave.ask({ amount: String(BigInt(maxAmount) + 10n ** 12n), precommitments: [note] }),
  ).toMatchObject({
    body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES' },
  })
  await dave.demand({ amount: maxAmount, precommitments: [note] })
})

it('two instances give an index to one quote alone, and none to a screened depositor', async () => {
  const frank = await world.openDepositor()
  const addresses = await frank.receiveAll(zeroAddress, [2n * ONE, 2n * ONE, 2n * ONE, 3n * ONE])
  const screened = addresses.at(-1)!
  const { service, payer } = world
  const other = await startService({
    config: {
      ...service.config,
      chains: [...service.parts.chains],
      screening: { ...service.config.screening, mode: 'list', addresses: [screened] },
      port: 0,
    },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  try {
    const asked = (changes: object = {}) =>
      readQuoteRequest(
        quoteBody.parse({
          type: 'pool_deposit',
          chainId: payer.chain.chainId,
          token: zeroAddress,
          amount: String(ONE),
          precommitments: precommitmentsFrom(0),
          ...changes,
        }),
      )
    await expect(
      other.services.quotes.create(frank.client.accountId, asked({ singleAddress: screened })),
    ).rejects.toMatchObject({ kind: 'legal', code: 'ADDRESS_NOT_SERVED' })
    const answers = await Promise.allSettled(
      [service, other, service, other].map(({ services }) =>
        services.quotes.create(frank.client.accountId, asked()),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'DEPOSIT_INDEX_TAKEN' })
  } finally {
    await other.stop()
  }
})

it('no request to a node names two addresses or two precommitments of a conversion', async () => {
  const heidi = await world.openDepositor()
  const token = tokenOf(world.token)
  const unit = 10n ** BigInt(world.token.decimals)
  const addresses = await heidi.receiveAll(token, [30n * unit, 40n * unit, 50n * unit])
  const { service, payer } = world
  const [chain] = service.parts.chains
  const node = await countRpc(payer.chain.rpcUrl)
  const other = await startService({
    config: {
      ...service.config,
      chains: [{ ...chain!, rpcUrls: [node.url], sanctionsOracle: payer.chain.sanctionsOracle }],
      screening: { ...service.config.screening, mode: 'oracle' },
      port: 0,
    },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  try {
    const notes = precommitmentsFrom(0, 3)
    const owners = addresses.map((address) => address.slice(2).toLowerCase())
    const hashes = notes.map(({ precommitment }) => BigInt(precommitment).toString(16))
    const { accountId, token: bearer } = heidi.client
    const ask = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': crypto.randomUUID() }
      const answer = await call(`${other.url}/v1/accounts/${accountId}${path}`, {
        method: 'POST',
        headers,
        body,
      })
      expect(answer.status, answer.text).toBe(200)
      return answer.json as unknown as DepositQuote
    }
    node.takeBodies()
    const { chainId } = payer.chain
    const type = 'pool_deposit'
    await ask('/max-spendable', { type, chainId, token, spendableAddresses: addresses })
    const quote = await ask('/quote', { type, chainId, token, maxSend: true, precommitments: notes })
    expect(quote.deposits).toHaveLength(3)
    const fresh = await ask(`/quotes/${quote.quoteId}/refresh`, {})
    await ask('/submit', await heidi.sign(fresh))
    await settle(heidi, fresh, 'confirmed')
    const bodies = node.takeBodies().map((body) => body.toLowerCase())
    const joining = bodies.filter((body) =>
      [owners, hashes].some((names) => names.filter((name) => body.includes(name)).length > 1),
    )
    expect(joining).toEqual([])
    const told = [...owners, ...hashes].filter((name) => bodies.some((body) => body.includes(name)))
    expect(told).toEqual([...owners, ...hashes])
  } finally {
    await other.stop()
    await node.close()
  }
})

it("submission detects a change by the pool's owner, and a refresh goes by the new terms", async () => {
  const grace = await world.openDepositor()
  const token = tokenOf(world.token)
  const unit = 10n ** BigInt(world.token.decimals)
  await grace.receiveAll(token, [100n * unit])
  const first = await grace.demand({
    token,
    amount: String(20n * unit),
    precommitments: precommitmentsFrom(0),
  })
  await configure(10n * unit, 100n)
  expect(await grace.submit(first)).toMatchObject({ status: 400, body: { code: 'QUOTE_REFRESH_REQUIRED' } })
  const refresh = async ({ quoteId }: DepositQuote, key: string) =>
    grace.post(`/quotes/${quoteId}/refresh`, {}, { 'idempotency-key': key })
  const second = (await refresh(first, 'fee')).body as unknown as DepositQuote
  expect(second.deposits).toMatchObject([{ amount: String(20n * unit), vettingFee: '202020' }])

  await configure(30n * unit, 100n)
  expect(await grace.submit(second)).toMatchObject({ status: 400, body: { code: 'QUOTE_REFRESH_REQUIRED' } })
  expect(await refresh(second, 'minimum')).toMatchObject({
    status: 400,
    body: { code: 'DEPOSIT_AMOUNT_TOO_SMALL', minAmount: formatUnits((297n * unit) / 10n + 1n, 6) },
  })
  await configure(10n * unit, 100n)
  await asOwner(encodeFunctionData({ abi: ownerAbi, functionName: 'windDownPool', args: [world.token.pool] }))
  expect(await grace.submit(second)).toMatchObject({ status: 400, body: { code: 'POOL_DEAD' } })
  expect(
    await grace.ask({ token, amount: String(20n * unit), precommitments: precommitmentsFrom(1) }),
  ).toMatchObject({
    status: 400,
    body: { code: 'POOL_DEAD' },
  })
})

const ownerAbi = parseAbi([
  'function updatePoolConfiguration(address _asset, uint256 _minimumDepositAmount, uint256 _vettingFeeBPS, uint256 _maxRelayFeeBPS)',
  'function windDownPool(address _pool)',
])

/** Sends a call as the owner of the Entrypoint; the service has read it when this resolves. */
async function asOwner(data: Hex): Promise<void> {
  const { sender, reader } = connectWallet(world.payer.chain, deriveAccounts().deployer.privateKey)
  const hash = await sender.sendTransaction({ to: world.payer.chain.entrypoint, data })
  await reader.waitForTransactionReceipt({ hash })
  await ask('anvil_mine', '0x1')
  await waitUntilIndexed(world.service, world.payer)
}

const configure = (minimum: bigint, vettingFeeBps: bigint) =>
  asOwner(
    encodeFunctionData({
      abi: ownerAbi,
      functionName: 'updatePoolConfiguration',
      args: [tokenOf(world.token), minimum, vettingFeeBps, 1_000n],
    }),
  )
