import { createBroadcastEngine } from '../../relayer/chain/broadcast/create-broadcast-engine.ts'
import { isRelaying } from '../../relayer/chain/nodes/capabilities.ts'
import type { RelayingChain, RelayingChains } from '../../relayer/chain/nodes/chain.ts'
import { createGasPrices } from '../../relayer/chain/nodes/sending-price.ts'
import { openChain } from '../../relayer/chain/nodes/open-chain.ts'
import { followPools } from '../../relayer/pool/state/pool-state.ts'
import { openTokens } from '../../relayer/market/open-tokens.ts'
import { createLostRecipients } from '../../relayer/pool/recipients/lost-recipients.ts'
import { createWithdrawals } from '../../relayer/pool/relay/create-withdrawals.ts'
import { createRelayerChain } from '../../relayer/pool/relay/relayer-chain.ts'
import { createGasBudget } from '../../relayer/chain/unpaid-gas/gas-budget.ts'
import type { Foundations } from './foundations.ts'
import { warnOfMarks } from './warn-of-marks.ts'

export type RelayParts = Awaited<ReturnType<typeof openRelay>>

/** All chains and tokens; for chains with a relayer also the broadcast engine and the public relayer. */
export async function openRelay({ config, logger, shutdown, pool, sessionUrl, vault, ...rest }: Foundations) {
  const { sharedState, proving } = rest
  const opened = config.chains.map((chain) =>
    openChain(chain, logger, config.storage.redisUrl ? sharedState : null),
  )
  for (const chain of opened) shutdown.add(`chain ${chain.config.chainId}`, () => chain.stop())
  const chains = new Map(opened.map((chain) => [chain.config.chainId, chain]))
  const relaying: RelayingChains = new Map<number, RelayingChain>(
    opened.filter(isRelaying).map((chain) => [chain.config.chainId, chain]),
  )
  const relayerChains = new Map(
    [...relaying].map(([chainId, chain]) => [
      chainId,
      createRelayerChain(chain, followPools(chain, logger), createGasPrices(chain)),
    ]),
  )
  warnOfMarks(relayerChains, config.transact.feeReceivers, logger)
  const tokenDesk = await openTokens({
    database: pool,
    chains,
    config,
    logger,
  })
  shutdown.add('prices', tokenDesk.stop)
  const lostRecipients = createLostRecipients({
    database: pool,
    chains,
    poolsOf: (chainId) => relayerChains.get(chainId)?.pools,
    tokens: tokenDesk.tokens,
  })
  const broadcast = createBroadcastEngine({
    chains: relaying,
    pool,
    databaseUrl: sessionUrl,
    logger,
    config: config.broadcast,
  })
  const budgets = new Map(
    [...relaying].map(([chainId, { config: settings }]) => [
      chainId,
      BigInt(settings.relayer.unpaidGasPerHour),
    ]),
  )
  const gasBudget = createGasBudget({ database: pool, budgets, logger })
  const withdrawals = createWithdrawals({
    database: pool,
    sharedState,
    proving,
    broadcast,
    served: chains,
    chains: relayerChains,
    gasBudget,
    lostRecipients,
    nameRecipient: async (chainId, recipient) =>
      (await vault.certify(`stealth-relay recipient v1\n${chainId}\n${recipient}`)).bytes,
    config: config.withdrawals,
    logger,
  })
  return {
    chains,
    relayerChains,
    broadcast,
    gasBudget,
    tokenDesk,
    lostRecipients,
    withdrawals,
    async start() {
      await Promise.all(opened.map((chain) => chain.start()))
      shutdown.add('unpaid gas', () => gasBudget.stop())
      await gasBudget.start()
      shutdown.add('withdrawals', () => withdrawals.stop())
      await withdrawals.start()
      shutdown.add('broadcast engine', () => broadcast.stop())
      await broadcast.start()
    },
  }
}
