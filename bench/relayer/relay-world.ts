import type { Address } from 'viem'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import type { RelayBody } from '../../test/harness/relay-requests.ts'
import type { ReadCpu } from '../measure/take-sample.ts'

/** A withdrawal that is proven and ready to be asked for. */
export interface RelayNote {
  /** As the chain will name it once it is spent. */
  nullifierHash: string
  chain: DescribedChain
  /** The request, with a fee commitment that is good for the next minute. */
  makeBody(): Promise<RelayBody>
}

/** A relayer with withdrawals that it has not seen yet. */
export interface RelayWorld {
  url: string
  chains: readonly DescribedChain[]
  notes: readonly RelayNote[]
  /** CPU of the relayer with its PostgreSQL; absent where this machine cannot read it, as of a relayer that runs already. */
  readCpu?: ReadCpu
}

/** What a quote is asked for. */
export interface QuoteTerms {
  chainId: number
  amount: string
  asset: Address
  recipient: Address
  extraGas: boolean
}
