import type { Logger } from 'pino'
import type { DevnetAccounts } from './accounts.ts'
import { startAcross, type Across } from './across/start-across.ts'
import { startAsp } from './asp/start-asp.ts'
import { startCash } from './cash/start-cash.ts'
import { listBridgedTokens } from './bridged-tokens.ts'
import type { DevnetConfig } from './config.ts'
import type { DescribedChain } from './devnet-description.ts'
import type { KeptProcess } from './keep-process.ts'
import type { DevnetChain } from './start-chain.ts'

/** What runs beside the chains; null where it is not wanted. */
export interface DevnetProcesses {
  asp: KeptProcess | null
  across: Across | null
  cash: KeptProcess | null
  stop: () => Promise<void>
}

/**
 * Starts the ASP, the buyers of cash-outs, and where there are two chains a filler of Across, at the same time: each loads for
 * half a second.
 */
export async function startProcesses(
  chains: readonly DevnetChain[],
  options: {
    described: DescribedChain[]
    accounts: DevnetAccounts
    config: DevnetConfig
    logger: Logger
  },
): Promise<DevnetProcesses> {
  const { described, accounts, config, logger } = options
  const outcomes = await Promise.allSettled([
    config.asp
      ? startAsp(
          {
            chains: described,
            postmanKey: accounts.postman.privateKey,
            delaySeconds: config.aspDelaySeconds,
            declined: config.aspDecline,
            port: config.aspPort,
          },
          logger,
        )
      : Promise.resolve(null),
    config.across && chains.length > 1
      ? startAcross(
          {
            chains: chains.map(({ chainId, rpcUrl, startBlock, addresses }) => ({
              chainId,
              rpcUrl,
              startBlock,
              spokePool: addresses.across.spokePool,
              wrapped: addresses.wrappedNative,
              tokens: listBridgedTokens(addresses),
            })),
            fillerKey: accounts.filler.privateKey,
            orders: { delaySeconds: config.acrossDelaySeconds, mode: 'fill', refused: [] },
            hasOwnClock: config.deterministic,
            port: config.acrossPort,
          },
          logger,
        )
      : Promise.resolve(null),
    config.cash
      ? startCash(
          {
            chains: chains.map(({ chainId, rpcUrl, addresses }) => ({ chainId, rpcUrl, ...addresses.cash })),
            keys: { curatorKey: accounts.curator.privateKey, witnessKey: accounts.witness.privateKey },
            buyerKeys: accounts.buyers.map(({ privateKey }) => privateKey),
            orders: { delaySeconds: config.cashDelaySeconds, mode: 'buy' },
            payees: { registered: [], refused: [] },
            port: config.cashPort,
          },
          logger,
        )
      : Promise.resolve(null),
  ])
  const stop = async () => {
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value?.stop()
  }
  const [asp, across, cash] = outcomes
  if (asp.status === 'fulfilled' && across.status === 'fulfilled' && cash.status === 'fulfilled')
    return { asp: asp.value, across: across.value, cash: cash.value, stop }
  await stop()
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  throw new Error('the processes beside the chains did not start')
}
