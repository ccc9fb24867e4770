import type { DescribedChain } from '../../../devnet/devnet-description.ts'
import type { KnownChain } from '../../../../schema/client/chain/known-chain.ts'

/** A wallet's record of a devnet's chain, from DATA_DIR/devnet.json, which the service's API does not serve. */
export const knownOf = ({ chainId, intents }: Pick<DescribedChain, 'chainId' | 'intents'>): KnownChain => ({
  chainId,
  orchestrator: intents.orchestrator,
  accountProxy: intents.accountProxy,
})
