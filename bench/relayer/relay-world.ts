import type { Address } from 'viem'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import type { RelayBody } from '../../test/harness/relay-requests.ts'
import type { ReadCpu } from '../measure/take-sample.ts'

/** A withdrawal with its proof, ready to be requested. */
export interface RelayNote {
  /** The chain's name of it once it is spent. */
  nullifierHash: string
  chain: DescribedChain
  /** Creates the request, with a fee commitment that is valid for the next minute. */
  makeBody(): Promise<RelayBody>
}

/** A relayer with withdrawals that it has not seen yet. */
export interface RelayWorld {
  url: string
  chains: readonly DescribedChain[]
  notes: readonly RelayNote[]
  /**
   * CPU of the relayer with its PostgreSQL; absent where this machine cannot read it, as of a relayer that was running
   * before.
   */
  readCpu?: ReadCpu
}

/** The terms of a requested quote. */
export interface QuoteTerms {
  chainId: number
  amount: string
  asset: Address
  recipient: Address
  extraGas: boolean
}
