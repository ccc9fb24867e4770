import { erc20Abi, parseAbi, parseUnits, type Address } from 'viem'
import { startService } from '../../../../../../gateway/compose.ts'
import { serviceConfig } from '../../../../../../gateway/config/config.ts'
import { createLogger } from '../../../../../../gateway/logging.ts'
import { deriveAccounts } from '../../../../../../relayer/devnet/accounts.ts'
import { connectWallet } from '../../../../../../relayer/devnet/wallet/connect-wallet.ts'
import { venuesConfig } from '../../../../../../relayer/chain/nodes/venues-config.ts'
import { openTestDatabase } from '../../../../../harness/open-test-database.ts'
import { OWN_LIMITS } from '../../../../account/open-account.ts'
import { openPayer, type Payer } from '../../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { startTestDevnet } from '../../../../devnet/start-test-devnet.ts'
import { openWalletSender, type WalletSender } from '../../../submissions/open-wallet-sender.ts'
import {
  honestAnswer,
  startFeesServer,
  type FeesServer,
} from '../../../venues/bridge/across/start-fees-server.ts'
import { depositsIn, prepareFills, send, type AcrossOnChain, type DepositedRelay } from './deploy-across.ts'

/** One of two chains between which Across carries the coin and a dollar. */
export interface BridgedChain {
  chainId: number
  payer: Payer
  across: AcrossOnChain
  wrapped: Address
  /** Six decimals, carried. */
  dollar: Address
  /** Not carried: pools exchange it for the dollar. */
  euro: Address
}

/** The service over two chains, with the real contracts and a fees service that tests control. */
export interface BridgeWorld extends AsyncDisposable {
  service: TestService
  fees: FeesServer
  origin: BridgedChain
  destination: BridgedChain
  openSender(): Promise<WalletSender>
  /** The newest deposit with the origin's SpokePool. */
  findDeposit(): Promise<DepositedRelay>
}

/** A thousandth of the amount, and the limits of the dollar for every token. */
export const feeOf = (amount: bigint) => amount / 1_000n

/** @param of `attribution`: suffixes of calls, none unless given. */
export async function startBridgeWorld({
  attribution,
}: { attribution?: Record<string, unknown> } = {}): Promise<BridgeWorld> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const fees = await startFeesServer()
    stops.push(fees.stop)
    fees.answer = ({ searchParams }) => {
      const amount = BigInt(searchParams.get('amount') ?? 0)
      const limits = { minDeposit: '1000', maxDeposit: String(10n ** 21n) }
      const timestamp = String(Math.floor(Date.now() / 1_000) - 2)
      const total = String(feeOf(amount))
      const body = { ...honestAnswer, limits, timestamp, totalRelayFee: { total } }
      return { status: 200, body: JSON.stringify(body) }
    }
    const test = await startTestDevnet({ chainIds: [31_337, 31_338], ports: [0, 0] })
    stops.push(async () => test[Symbol.asyncDispose]())
    const bridged = await Promise.all(
      [0, 1].map(async (place): Promise<BridgedChain> => {
        const payer = await openPayer({ dataDir: test.dataDir } as TestService, 5, place)
        const { chainId, wrappedNative: wrapped, tokens } = payer.chain
        const [dollar, euro] = [tokens[0]!.address, tokens[1]!.address]
        const across = await prepareFills(payer, wrapped, [dollar])
        return { chainId, payer, across, wrapped, dollar, euro }
      }),
    )
    const [origin, destination] = [bridged[0]!, bridged[1]!]
    const database = await openTestDatabase()
    stops.push(() => database.drop())
    const settings = serviceConfig.parse({
      port: 0,
      logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      storage: { databaseUrl: database.url, dataDir: test.dataDir },
      proving: { threads: 1 },
      ...OWN_LIMITS,
      feeWaivers: { waiverDays: 0 },
      screening: { mode: 'oracle' },
      ...(attribution && { transact: { attribution } }),
    })
    const chains = test.devnet.chains.map((chain, place) => {
      const { across, wrapped, dollar } = bridged[place]!
      const { spokePool, multicallHandler } = across
      const tokens = [
        { asset: 'ETH', token: wrapped },
        { asset: 'USD', token: dollar },
      ]
      const settingsOfAcross = { spokePool, multicallHandler, feesUrl: fees.url, timeoutMs: 1_000, tokens }
      const venues = venuesConfig.parse({ ...chain.venues, across: settingsOfAcross })
      return { ...chain, venues }
    })
    const config = { ...settings, chains }
    const running = await startService({ config, logger: createLogger({ level: config.logLevel }) })
    const service: TestService = { ...running, config, dataDir: test.dataDir, database }
    stops.push(() => service.stop())
    return {
      service,
      fees,
      origin,
      destination,
      openSender: () => openWalletSender(service, origin.payer),
      async findDeposit() {
        const { reader } = origin.payer.wallet
        const logs = await reader.getLogs({ address: origin.across.spokePool, fromBlock: 0n })
        const deposit = depositsIn(logs, origin.chainId).at(-1)
        if (!deposit) throw new Error('nobody has deposited anything')
        return deposit
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** So many dollars in the smallest unit. */
export const dollars = (text: string) => parseUnits(text, 6)

const routerAbi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
])

/** Buys euros for so many dollars in the pool that exchanges them: each costs more afterwards. */
export async function spendOnPool({ payer, dollar, euro }: BridgedChain, amount: bigint): Promise<void> {
  const { router } = payer.chain.uniswap
  const recipient = payer.wallet.account.address
  await send(payer, {
    address: dollar,
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, amount],
  })
  const swap = { tokenIn: dollar, tokenOut: euro, fee: 500, recipient, amountIn: amount }
  const args = [{ ...swap, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }]
  await send(payer, { address: router, abi: routerAbi, functionName: 'exactInputSingle', args })
}

/** Puts an address on the sanctions list of one chain. */
export async function sanction({ payer }: BridgedChain, address: Address): Promise<void> {
  const { sender, reader } = connectWallet(payer.chain, deriveAccounts().deployer.privateKey)
  const hash = await sender.writeContract({
    address: payer.chain.sanctionsOracle,
    abi: parseAbi(['function addToSanctionsList(address[] newSanctions)']),
    functionName: 'addToSanctionsList',
    args: [[address]],
  })
  await reader.waitForTransactionReceipt({ hash })
}
