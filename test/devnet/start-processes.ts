import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { DevnetAccounts } from './accounts.ts'
import { describeAcross, feesUrlOf } from './across/describe-across.ts'
import { describeAsp } from './asp/describe-asp.ts'
import { describeCash } from './cash/describe-cash.ts'
import { listBridgedTokens } from './bridged-tokens.ts'
import type { DevnetConfig } from '../../gateway/config/devnet-config.ts'
import { describeChain } from './configure-chain.ts'
import { listCoins } from './market/coins.ts'
import { describeMarket } from './market/describe-market.ts'
import { keepProcess, type KeptPart } from './keep-process.ts'
import type { DevnetChain } from './start-chain.ts'

const PROGRAM = fileURLToPath(new URL('./neighbours-process.ts', import.meta.url))

/** The processes beside the chains; null if not wanted. */
export interface DevnetProcesses {
  asp: { url: string } | null
  across: { url: string; feesUrl: string } | null
  cash: { url: string } | null
  market: { url: string } | null
  stop: () => Promise<void>
}

interface ProcessOptions {
  accounts: DevnetAccounts
  config: DevnetConfig
  logger: Logger
}

/**
 * Starts the ASP, the buyers of cash-outs, the market, and where there are two chains a filler of Across, in one process
 * beside this. It is started at once and loads its modules while the chains start.
 */
export async function startProcesses(
  chains: Promise<readonly DevnetChain[]>,
  options: ProcessOptions,
): Promise<DevnetProcesses> {
  const { config, logger } = options
  if (!config.asp && !config.cash && !hasMarket(config) && !(config.across && config.chainIds.length > 1)) {
    await chains
    return { asp: null, across: null, cash: null, market: null, stop: async () => {} }
  }
  const parts = chains.then((started) => describeParts(started, options))
  const kept = await keepProcess(PROGRAM, parts, logger)
  const known = await parts
  const urlOf = (part: string) => (known.has(part) ? { url: kept.urlOf(part) } : null)
  const across = urlOf('across')
  return {
    asp: urlOf('asp'),
    across: across && { ...across, feesUrl: feesUrlOf(across.url) },
    cash: urlOf('cash'),
    market: urlOf('market'),
    stop: kept.stop,
  }
}

/** Runs of a deterministic devnet are alike, so its prices stand still. */
const hasMarket = ({ market, deterministic }: DevnetConfig): boolean => market && !deterministic

/** The parts of the process, by the keys by which it knows them. */
function describeParts(
  chains: readonly DevnetChain[],
  { accounts, config, logger }: ProcessOptions,
): ReadonlyMap<string, KeptPart> {
  const parts = new Map<string, KeptPart>()
  if (config.asp)
    parts.set(
      'asp',
      describeAsp(
        {
          chains: chains.map((chain) => describeChain(chain, accounts)),
          postmanKey: accounts.postman.privateKey,
          delaySeconds: config.aspDelaySeconds,
          declined: config.aspDecline,
          port: config.aspPort,
        },
        logger,
      ),
    )
  if (config.across && chains.length > 1)
    parts.set(
      'across',
      describeAcross(
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
      ),
    )
  if (config.cash)
    parts.set(
      'cash',
      describeCash(
        {
          chains: chains.map(({ chainId, rpcUrl, addresses }) => ({ chainId, rpcUrl, ...addresses.cash })),
          keys: { curatorKey: accounts.curator.privateKey, witnessKey: accounts.witness.privateKey },
          buyerKeys: accounts.buyers.map(({ privateKey }) => privateKey),
          orders: { delaySeconds: config.cashDelaySeconds, mode: 'buy' },
          payees: { registered: [], refused: [] },
          port: config.cashPort,
        },
        logger,
      ),
    )
  if (hasMarket(config)) parts.set('market', describeMarket(listCoins(chains)))
  return parts
}
