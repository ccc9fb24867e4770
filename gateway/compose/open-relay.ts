import { createBroadcastEngine } from '../../relayer/broadcast/create-broadcast-engine.ts'
import { followGasPrices } from '../../relayer/chains/gas-prices.ts'
import { openChain } from '../../relayer/chains/open-chain.ts'
import { followPools } from '../../relayer/pools/pool-state.ts'
import { createWithdrawals } from '../../relayer/withdrawals/create-withdrawals.ts'
import { createRelayerChain } from '../../relayer/withdrawals/relayer-chain.ts'
import type { Foundations } from './foundations.ts'

export type RelayParts = ReturnType<typeof openRelay>

/** The chains, the engine that sends to them, and the public relayer. */
export function openRelay({ config, logger, shutdown, pool, databaseUrl, ...rest }: Foundations) {
  const { sharedState, proving, local } = rest
  const opened = local.chains.map((chain) => openChain(chain, logger))
  for (const chain of opened) shutdown.add(`chain ${chain.config.chainId}`, () => chain.stop())
  const chains = new Map(opened.map((chain) => [chain.config.chainId, chain]))
  const relayerChains = new Map(
    opened.map((chain) => [
      chain.config.chainId,
      createRelayerChain(chain, followPools(chain, logger), followGasPrices(chain)),
    ]),
  )
  const broadcast = createBroadcastEngine({ chains, pool, databaseUrl, logger, config: config.broadcast })
  const withdrawals = createWithdrawals({
    database: pool,
    sharedState,
    proving,
    broadcast,
    chains: relayerChains,
    config: config.withdrawals,
    logger,
  })
  return {
    chains,
    relayerChains,
    broadcast,
    withdrawals,
    async start() {
      await Promise.all(opened.map((chain) => chain.start()))
      await withdrawals.start()
      shutdown.add('broadcast engine', () => broadcast.stop())
      await broadcast.start()
    },
  }
}
