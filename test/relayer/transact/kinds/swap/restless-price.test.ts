import fc from 'fast-check'
import { parseAbi, parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService } from '../../../../../gateway/compose.ts'
import type { RunningService } from '../../../../../gateway/compose/build-service.ts'
import { createLogger } from '../../../../../gateway/logging.ts'
import { sql } from '../../../../../db/connect-database.ts'
import { readDescription } from '../../../../devnet/devnet-description.ts'
import { minimumOf, maximumOf } from '../../../../../relayer/transact/kinds/swap/slippage.ts'
import { readQuoteRequest } from '../../../../../schema/transact/kinds/quote-shapes.ts'
import { quoteBody } from '../../../../../schema/transact/model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { openPayer, type Payer } from '../../../../harness/chain-actors.ts'
import { SHARED_THREADS } from '../../../../harness/share-threads.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startNodeDoor, type NodeDoor } from '../../../chain/broadcast/start-node-door.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

let service: TestService
let payer: Payer
let alice: WalletSender
let router: Address
let wrapped: Address
let dollar: Address
let door: NodeDoor
/** Another instance, whose node is the proxy. */
let behind: RunningService

const ONE = parseEther('1')

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  alice = await openWalletSender(service, payer)
  const [described] = (await readDescription(service.dataDir)).chains
  router = described!.uniswap.router
  wrapped = described!.wrappedNative
  dollar = described!.tokens[0]!.address
  const [chain] = service.parts.chains
  door = await startNodeDoor(String(chain!.rpcUrls[0]))
  behind = await startService({
    config: { ...service.config, chains: [{ ...chain!, rpcUrls: [door.url] }], port: 0 },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  await alice.receiveAll(zeroAddress, [2n * ONE])
  await alice.receiveAll(dollar, [parseUnits('2000', 6)])
})
afterAll(async () => {
  await behind?.stop()
  await door?.close()
  await service?.stop()
})

/** A stranger buys dollars for coins. */
async function trade(coins: bigint): Promise<void> {
  const hash = await payer.wallet.sender.writeContract({
    address: router,
    abi: parseAbi([
      'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
      'function exactInputSingle(Swap swap) payable returns (uint256)',
    ]),
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: wrapped,
        tokenOut: dollar,
        fee: 500,
        recipient: payer.wallet.sender.account.address,
        amountIn: coins,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ],
    value: coins,
  })
  await payer.wallet.reader.waitForTransactionReceipt({ hash })
}

const coinsIntoDollars = { type: 'swap', tokenIn: zeroAddress, amountIn: String(ONE / 10n) }
const quoteBehind = () => {
  const body = { ...coinsIntoDollars, tokenOut: dollar, chainId: payer.chain.chainId }
  return behind.services.quotes.create(alice.client.accountId, readQuoteRequest(quoteBody.parse(body)))
}

it('a swap is quoted though its pool is traded in between any two reads of the chain', async () => {
  let last: Promise<void> = Promise.resolve()
  let trades = 0
  door.before('eth_simulateV1', () => {
    last = last.then(() => trade(ONE / 1_000n))
    trades += 1
    return last
  })
  const { quoteId, terms } = await quoteBehind()
  door.before('eth_simulateV1', async () => undefined)
  await last
  expect(trades).toBeGreaterThan(2)
  expect(BigInt(String(terms['minimumOutput']))).toBe(
    minimumOf(BigInt(String(terms['expectedOutput'])), Number(terms['slippageBps'])),
  )
  await alice.post('/unlock', { quoteId })
})

it('a swap over a node that answers nothing of the pools is refused as temporary', async () => {
  door.refuse('eth_call', { code: -32_005, message: 'come again later' })
  await expect(quoteBehind()).rejects.toMatchObject({ kind: 'unavailable' })
  door.refuse('eth_call')
})

it("a quote below the present price is not submitted, since a block's builder could take the rest", async () => {
  const quote = await alice.quote({
    type: 'swap',
    tokenIn: dollar,
    tokenOut: zeroAddress,
    amountIn: String(parseUnits('500', 6)),
  })
  await trade(60n * ONE)
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED', message: 'The price of this swap has moved: refresh the quote' },
  })
})

it('a price is to be refreshed after 20 seconds, and is not submitted after a minute even where it still holds', async () => {
  const askedAt = Date.now()
  const quote = await alice.quote({ ...coinsIntoDollars, tokenOut: dollar })
  const refreshAt = Date.parse(quoteShape.parse(quote).refresh.after)
  expect(refreshAt).toBeGreaterThanOrEqual(askedAt + 20_000)
  expect(refreshAt).toBeLessThanOrEqual(Date.now() + 20_000)
  const signed = await alice.sign(quote)
  await service.database.pool.query(
    sql.unsafe`update quote set created_at = created_at - interval '61 seconds' where id = ${quote.quoteId}`,
  )
  expect(await alice.post('/submit', signed)).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED' },
  })
})

it('a swap of which nothing need come out is refused', async () => {
  const dust = { ...coinsIntoDollars, tokenOut: dollar, chainId: payer.chain.chainId, amountIn: '400000000' }
  for (const path of ['/quote', '/swap-preview'])
    expect(
      await alice.post(
        path,
        path === '/quote' ? { ...dust, acknowledgedPriceImpact: 100 } : { ...dust, type: undefined },
      ),
    ).toMatchObject({ status: 400, body: { code: 'AMOUNT_TOO_LOW' } })
})

it('the highest expected price is as far above the expectation as the minimum is below it', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 128n }),
      fc.integer({ min: 0, max: 5_000 }),
      (expected, bps) => {
        const rounded = expected - minimumOf(expected, bps) - (maximumOf(expected, bps) - expected)
        expect(rounded === 0n || rounded === 1n).toBe(true)
      },
    ),
  )
})
