import type { DescribedChain } from '../../../../relayer/devnet/devnet-description.ts'
import type { KnownChain } from '../known-chain.ts'

/** What a wallet may know of a devnet's chain: as DATA_DIR/devnet.json has it, which the service's API does not answer. */
export const knownOf = ({ chainId, intents }: Pick<DescribedChain, 'chainId' | 'intents'>): KnownChain => ({
  chainId,
  orchestrator: intents.orchestrator,
  accountProxy: intents.accountProxy,
})
