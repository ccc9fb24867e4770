import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { DevnetConfig } from '../../gateway/config/devnet-config.ts'
import { OFFCHAIN_NAME } from './deploy/devnet-names.ts'
import type { devnetReport } from '../../gateway/compose/devnet-report.ts'

/** Start options of the devnet. */
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
  /** For the service that uses it. */
  report: z.input<typeof devnetReport>
  /** Sends readers of its names to the service, once it listens. @param serviceUrl Without a slash at its end. */
  pointNames(serviceUrl: string): Promise<void>
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
    { listDevnetDescriptors },
    { listCoins },
    { listEarlierPrices, priceSettings },
  ] = await Promise.all([
    import('./accounts.ts'),
    import('./build/load-contracts.ts'),
    import('./list-chain-settings.ts'),
    import('./configure-chain.ts'),
    import('./devnet-description.ts'),
    import('./start-chain.ts'),
    import('./start-processes.ts'),
    import('./deploy/point-names.ts'),
    import('./sourcify/serve-sourcify.ts'),
    import('./explorer/serve-explorer.ts'),
    import('./pictures.ts'),
    import('./clear-signing/list-devnet-descriptors.ts'),
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
      report: {
        settings: {
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
          names: { parent: OFFCHAIN_NAME, signerKey: accounts.nameSigner.privateKey },
          sourcify: { url: sourcify.url },
          ...(market && { prices: priceSettings(market.url, config.chainIds) }),
        },
        earlierPrices: market ? listEarlierPrices(listCoins(chains), config.chainIds) : [],
        descriptors: await listDevnetDescriptors(chains),
        file,
        asp,
        across,
      },
      async pointNames(serviceUrl) {
        await Promise.all(
          chains.map(({ rpcUrl, addresses }) =>
            pointNames(rpcUrl, addresses.names.offchainResolver, serviceUrl),
          ),
        )
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
