import { addressOfPrivateKey } from '../../../proving/signing/address.ts'
import type { Address } from 'viem'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import type { GasPrices } from '../../chain/nodes/sending-price.ts'
import type { PoolState } from '../state/pool-state.ts'
import { createPrices, type PriceOf } from '../../market/prices/price-native.ts'

/** A chain of the public relayer, with everything that quotes and requests on it need. */
export interface RelayerChain {
  chain: RelayingChain
  pools: PoolState
  gasPrices: GasPrices
  priceOf: PriceOf
  /** Address of the key that signs fee commitments. */
  commitmentSigner: Address
  /** Recipient of fees. Default: the commitment signer, because a published client checks that. */
  feeReceiver: Address
}

/** The relayer's chains, by chain id. */
export type RelayerChains = ReadonlyMap<number, RelayerChain>

/** Combines the relayer's parts of one chain. Fees go to `feeReceiver`, or to the key that signs commitments. */
export function createRelayerChain(
  chain: RelayingChain,
  pools: PoolState,
  gasPrices: GasPrices,
): RelayerChain {
  const { feeReceiverKey: key, feeReceiver } = chain.config.relayer
  const commitmentSigner = typeof key === 'string' ? addressOfPrivateKey(key) : key.address
  return {
    chain,
    pools,
    gasPrices,
    priceOf: createPrices(chain),
    commitmentSigner,
    feeReceiver: feeReceiver ?? commitmentSigner,
  }
}
