import {
  erc1155Abi,
  erc20Abi,
  erc4626Abi,
  erc721Abi,
  multicall3Abi,
  toFunctionSignature,
  type Abi,
  type Hex,
} from 'viem'
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction'
import {
  depositAbi,
  entrypointAbi,
  poolAbi,
  ragequitAbi,
  relayErrorAbi,
} from '../../chain/contracts/privacy-pools.ts'
import { intentErrorAbi, orchestratorAbi } from '../../transact/intents/intent-abi.ts'
import { routerAbi } from '../../transact/venues/swap/uniswap/encode-swap.ts'
import { selectorOf } from './canonical-signature.ts'
import { STANDARD_SIGNATURES, VERIFIED_SIGNATURES } from './curated-signatures.ts'
import type { SignatureSource } from './function-signatures.ts'
import { multicallHandlerAbi, spokePoolAbi } from '../../transact/venues/bridge/across/spoke-pool-deposit.ts'

/** ABIs of the service's own contracts, and of standards. */
const STANDARD_ABIS: readonly Abi[] = [
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  erc4626Abi,
  orchestratorAbi,
  intentErrorAbi,
  entrypointAbi,
  depositAbi,
  poolAbi,
  relayErrorAbi,
  ragequitAbi,
  spokePoolAbi,
  multicallHandlerAbi,
  routerAbi,
]
const VERIFIED_ABIS: readonly Abi[] = [multicall3Abi, entryPoint06Abi, entryPoint07Abi, entryPoint08Abi]

/** A signature from any source. */
export interface KnownSignature {
  signature: string
  source: SignatureSource
}

/** Lists the built-in signatures, by selector. */
export function listBuiltInSignatures(): ReadonlyMap<Hex, readonly KnownSignature[]> {
  const all = [
    ...[...STANDARD_ABIS.flatMap(signaturesOf), ...STANDARD_SIGNATURES].map(asSource('standard')),
    ...[...VERIFIED_ABIS.flatMap(signaturesOf), ...VERIFIED_SIGNATURES].map(asSource('verified')),
  ]
  return Map.groupBy(all, ({ signature }) => selectorOf(signature))
}

const asSource = (source: SignatureSource) => (signature: string) => ({ signature, source })

/** An error is encoded like a function of its name. */
const signaturesOf = (abi: Abi) =>
  abi.flatMap((item) => {
    if (item.type === 'function') return [toFunctionSignature(item)]
    if (item.type !== 'error') return []
    return [toFunctionSignature({ ...item, type: 'function', outputs: [], stateMutability: 'pure' })]
  })
