import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Hex } from 'viem'
import type { Collection } from '../account/collectible/config.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import type { PricesConfig } from '../market/prices/config.ts'
import type { DevnetConfig } from './config.ts'
import { OFFCHAIN_NAME } from './deploy/devnet-names.ts'

/** What the devnet is started with. */
export interface DevnetOptions {
  /** Holds chain state, logs and devnet.json. */
  dataDir: string
  config: DevnetConfig
  logger: Logger
  /** Receives a short text when a step takes long. */
  onProgress?: (text: string) => void
}

/** A running devnet, which belongs to this process. */
export interface Devnet {
  /** Ready for the service to use. */
  chains: ChainConfig[]
  /** Whose tokens waive service fees. */
  collectibles: readonly Collection[]
  /** Null where the configuration wants none. */
  asp: { url: string } | null
  /** Who fills deposits of the bridge; null where the configuration wants nobody, or there is but one chain. */
  across: { url: string } | null
  /** Buyers, curator and witness of cash-outs; null where the configuration wants nobody. */
  cash: { url: string } | null
  /** Where prices come from unless the configuration says; null where the chains' settings alone do. */
  market: {
    settings: (prices: PricesConfig) => PricesConfig
    recordEarlier: (database: DatabasePool) => Promise<void>
  } | null
  /** Server of verified sources, which speaks Sourcify's protocol. */
  sourcify: { url: string }
  /** The name below which the offchain resolver asks the service, and whose signature it wants. */
  names: { parent: string; signerKey: Hex }
  /** Sends readers of those names to the service, once it listens. @param serviceUrl Without a slash at its end. */
  pointNames(serviceUrl: string): Promise<void>
  /** Path of devnet.json. */
  file: string
  /** Imports the devnet's own descriptors of its contracts, once. */
  importDescriptors(database: DatabasePool): Promise<void>
  /** Ends the ASP and the filler, then the chains once they have written their state. */
  stop: () => Promise<void>
}

/**
 * Starts local chains with real pools and an ASP, or resumes those of the folder. Nothing of it, and no package that
 * only it needs, is loaded before this is called.
 */
export async function startDevnet({ dataDir, config, logger, onProgress }: DevnetOptions): Promise<Devnet> {
  const [
    { deriveAccounts },
    { loadContracts },
    { listChainSettings },
    { configureChain, describeChain },
    { descriptionFile, writeDescription },
    { startChain },
    { startProcesses },
    { pointNames },
    { serveSourcify },
    { serveExplorer },
    { TNFT_PICTURE },
    { importDevnetDescriptors },
    { listCoins },
    { askMarket, recordEarlierPrices },
  ] = await Promise.all([
    import('./accounts.ts'),
    import('./build/load-contracts.ts'),
    import('./config.ts'),
    import('./configure-chain.ts'),
    import('./devnet-description.ts'),
    import('./start-chain.ts'),
    import('./start-processes.ts'),
    import('./deploy/point-names.ts'),
    import('./sourcify/serve-sourcify.ts'),
    import('./explorer/serve-explorer.ts'),
    import('./pictures.ts'),
    import('./clear-signing/import-devnet-descriptors.ts'),
    import('./market/coins.ts'),
    import('./market/describe-market.ts'),
  ])
  const folder = resolve(dataDir, 'devnet')
  await mkdir(folder, { recursive: true })
  const accounts = deriveAccounts()
  let build: ReturnType<typeof loadContracts> | undefined
  const loadBuild = () =>
    (build ??= loadContracts(() => onProgress?.('compiling the contracts (the first time only)')))

  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).toReversed()) await step()
  }
  const startChains = async () => {
    const started = await Promise.allSettled(
      listChainSettings(config).map(async (settings) => {
        const chain = await startChain({
          folder: join(folder, String(settings.chainId)),
          settings,
          deterministic: config.deterministic,
          blockTimeSeconds: config.blockTime,
          accounts,
          loadBuild,
          logger,
        })
        stops.push(chain.stop)
        return chain
      }),
    )
    return started.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
  }
  try {
    const starting = startChains()
    const [chains, processes] = await Promise.all([
      starting,
      startProcesses(starting, { accounts, config, logger }),
    ])
    stops.push(processes.stop)
    const described = chains.map((chain) => describeChain(chain, accounts))
    const sourcify = await serveSourcify(chains, loadBuild)
    stops.push(sourcify.stop)
    const explorer = await serveExplorer(chains)
    stops.push(explorer.stop)
    const asp = processes.asp && { url: processes.asp.url }
    const across = processes.across && { url: processes.across.url }
    const cash = processes.cash && { url: processes.cash.url }
    const { market } = processes
    const file = resolve(descriptionFile(dataDir))
    await writeDescription(file, { chains: described, asp, across, cash })
    return {
      chains: chains.map((chain) =>
        configureChain(chain, accounts, {
          blockTimeSeconds: config.blockTime,
          aspDelaySeconds: config.aspDelaySeconds,
          aspUrl: asp?.url ?? null,
          feesUrl: processes.across?.feesUrl ?? null,
          curatorUrl: cash?.url ?? null,
          explorerUrl: explorer.url,
        }),
      ),
      collectibles: chains.map(({ chainId, addresses }) => ({
        chainId,
        contract: addresses.collectible,
        symbol: 'TNFT',
        imageUrl: TNFT_PICTURE,
      })),
      asp,
      across,
      cash,
      market: market && {
        settings: (prices) => askMarket(prices, market.url, config.chainIds),
        recordEarlier: (database) => recordEarlierPrices(database, listCoins(chains), config.chainIds),
      },
      sourcify: { url: sourcify.url },
      names: { parent: OFFCHAIN_NAME, signerKey: accounts.nameSigner.privateKey },
      async pointNames(serviceUrl) {
        await Promise.all(
          chains.map(({ rpcUrl, addresses }) =>
            pointNames(rpcUrl, addresses.names.offchainResolver, serviceUrl),
          ),
        )
      },
      importDescriptors: (database) => importDevnetDescriptors(database, chains),
      file,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
