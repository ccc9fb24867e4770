import { erc20Abi, parseAbi, parseUnits, type Address } from 'viem'
import { startService } from '../../../../../../gateway/compose.ts'
import type { RunningService } from '../../../../../../gateway/compose/build-service.ts'
import { serviceConfig, type ServiceConfig } from '../../../../../../gateway/config/config.ts'
import { createLogger } from '../../../../../../gateway/logging.ts'
import { deriveAccounts } from '../../../../../devnet/accounts.ts'
import { connectWallet } from '../../../../../devnet/wallet/connect-wallet.ts'
import { findFreePort } from '../../../../../harness/find-free-port.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { SHARED_THREADS } from '../../../../../harness/share-threads.ts'
import { openWalletSender, type WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { send } from './fill-deposits.ts'
import {
  openBridgedChains,
  type BridgedChain,
  type BridgedChains,
  type BridgedChainsOptions,
} from './open-bridged-chains.ts'

/** The service on two chains, with the real contracts and a fee service that tests control. */
export interface BridgeWorld extends Omit<BridgedChains, 'stop' | 'settings'>, AsyncDisposable {
  readonly service: TestService
  openSender(): Promise<WalletSender>
  /** Stops the service and starts it again at the same address after `meanwhile`, with the given changes of settings. */
  restart(
    meanwhile?: () => Promise<unknown>,
    change?: (config: ServiceConfig) => ServiceConfig,
  ): Promise<void>
}

export async function startBridgeWorld(options: BridgedChainsOptions = {}): Promise<BridgeWorld> {
  const { settings, stop, ...bridged } = await openBridgedChains(options)
  const { dataDir, database, origin } = bridged
  let running: RunningService | null = null
  const dispose = async () => {
    await running?.stop()
    await stop()
  }
  try {
    const { chains, ...others } = settings
    const config: ServiceConfig = {
      ...serviceConfig.parse({ ...others, port: await findFreePort() }),
      chains,
    }
    const start = (changed = config) =>
      startService({
        config: changed,
        logger: createLogger({ level: config.logLevel }),
        ...SHARED_THREADS,
      })
    running = await start()
    // The service keeps its address over restarts, so this object stays valid.
    const { origin: from, destination: to } = bridged
    const known = [from.payer.chain, to.payer.chain]
    const service: TestService = { ...running, config, dataDir, database, stop: () => Promise.resolve() }
    return {
      ...bridged,
      service,
      openSender: () => openWalletSender(service, origin.payer, known),
      async restart(meanwhile, change = (same) => same) {
        await running?.stop()
        running = null
        await meanwhile?.()
        running = await start(change(config))
      },
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Dollars in the smallest unit. */
export const dollars = (text: string) => parseUnits(text, 6)

const routerAbi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
])

/** Buys euros for this many dollars in their pool, which raises the price of a euro. */
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
export async function sanction({ chain }: BridgedChain['payer'], address: Address): Promise<void> {
  const { sender, reader } = connectWallet(chain, deriveAccounts().deployer.privateKey)
  const hash = await sender.writeContract({
    address: chain.sanctionsOracle,
    abi: parseAbi(['function addToSanctionsList(address[] newSanctions)']),
    functionName: 'addToSanctionsList',
    args: [[address]],
  })
  await reader.waitForTransactionReceipt({ hash })
}
