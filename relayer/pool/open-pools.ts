import { listAccountFeatures } from '../../db/market/tokens/account-tokens.ts'
import type { ChainServices } from '../chain/open-chains.ts'
import type { Chains } from '../chain/nodes/chain.ts'
import { createGasPrices } from '../chain/nodes/sending-price.ts'
import type { ServiceKeys } from '../identity/transient-secrets.ts'
import type { TokenDesk } from '../market/open-tokens.ts'
import type { ServiceBase } from '../service-base.ts'
import { createPoolBooks } from './book/pool-books.ts'
import { createLostRecipients } from './recipients/lost-recipients.ts'
import type { WithdrawalsConfig } from './relay/config.ts'
import { createWithdrawals } from './relay/create-withdrawals.ts'
import { createFeePerProof } from './relay/relay-gas.ts'
import { createRelayerChain, type RelayerChains } from './relay/relayer-chain.ts'
import { followReviews } from './state/follow-reviews.ts'
import { followPools } from './state/pool-state.ts'
import { createSupportedPools } from './state/supported-pools.ts'
import { createAccountPools } from './tree/create-account-pools.ts'
import { followAspSet } from './tree/follow-asp-set.ts'

/** The services of this district. */
export type PoolServices = ReturnType<typeof openPools>

/** Opens the pools: their state and reviews, the public relayer, and the books of accounts' notes. */
export function openPools(
  base: ServiceBase,
  { vault }: ServiceKeys,
  chain: ChainServices,
  { tokens }: TokenDesk,
  config: { withdrawals: WithdrawalsConfig },
) {
  const { database, logger, sharedState, proving, shutdown } = base
  const { chains, broadcast, gasBudget } = chain
  const relayerChains: RelayerChains = new Map(
    [...chain.relaying].map(([chainId, relaying]) => [
      chainId,
      createRelayerChain(relaying, followPools(relaying, logger), createGasPrices(relaying)),
    ]),
  )
  const lostRecipients = createLostRecipients({
    database,
    chains,
    poolsOf: (chainId) => relayerChains.get(chainId)?.pools,
    tokens,
  })
  const withdrawals = createWithdrawals({
    database,
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
  followPoolReviews(base, relayerChains)
  return {
    relayerChains,
    lostRecipients,
    withdrawals,
    ...openAccountPools(base, vault, tokens, { chains, relayerChains }),
    async start() {
      shutdown.add('withdrawals', () => withdrawals.stop())
      await withdrawals.start()
    },
  }
}

/** The pools' functions for an account, and its notes in them. */
function openAccountPools(
  { database, logger }: ServiceBase,
  vault: ServiceKeys['vault'],
  tokens: TokenDesk['tokens'],
  { chains, relayerChains }: { chains: Chains; relayerChains: RelayerChains },
) {
  const featuresOf = (accountId: string) => listAccountFeatures(database, accountId)
  const books = createPoolBooks(database, vault)
  return {
    featuresOf,
    books,
    supportedPools: createSupportedPools({
      chains: [...relayerChains.values()],
      tokens,
      feePerProof: createFeePerProof(database, (chainId) => relayerChains.get(chainId)?.gasPrices),
      featuresOf,
      logger,
    }),
    accountPools: createAccountPools(
      { served: chains, chains: relayerChains, featuresOf },
      { database, books },
    ),
  }
}

/** Follows the reviews of deposits and the association sets of the pools. */
function followPoolReviews(
  { database, proving, logger, shutdown }: ServiceBase,
  relayerChains: RelayerChains,
): void {
  for (const { chain, pools } of relayerChains.values()) {
    const reviews = followReviews(chain, pools, database, logger)
    shutdown.add(`reviews of chain ${chain.config.chainId}`, () => reviews.stop())
    const aspSet = followAspSet({ chain, pools, database, proving, logger })
    shutdown.add(`association set of chain ${chain.config.chainId}`, () => aspSet.stop())
  }
}
