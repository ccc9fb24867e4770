// SPDX-License-Identifier: MIT
// A wallet's own record of a chain. The developer builds it into the wallet, from the operator's deployment or from a
// devnet's devnet.json. It never comes from the service: a lying service would name its own contracts.
import type { Address } from 'viem'

/** A token that the bridge carries, on one chain. */
export interface CarriedToken {
  token: Address
  decimals: number
}

/** Contracts of a chain that are the same for every operator. The wallet does not use those that are left out. */
export interface ChainContracts {
  /** The wrapped native coin. */
  wrapped?: Address
  /** SwapRouter02; null where no exchange is made. */
  router?: Address | null
  /** Takes deposits of the bridge (Across). */
  spokePool?: Address
  /** Runs the messages of the bridge's deposits. */
  multicallHandler?: Address
  /** The Entrypoint of the privacy pools. */
  entrypoint?: Address
  /** Tokens that the bridge carries, by symbol: one symbol is one asset on all chains. */
  carried?: Readonly<Record<string, CarriedToken>>
}

/** The contracts of a chain for which a wallet signs; it signs for no others. */
export interface KnownChain extends ChainContracts {
  chainId: number
  /** Verifies intents: the `verifyingContract` of their EIP-712 domain. */
  orchestrator: Address
  /** The account contract: the only one that an address delegates to. It can do everything that the address can. */
  accountProxy: Address
}

/** How the Orchestrator names itself; `eip712Domain()` of the contract answers the same. */
export const ORCHESTRATOR = { name: 'Orchestrator', version: '0.5.5' } as const

/** EIP-712 types of an intent. The wallet brings its own, because the types decide which bytes it signs. */
export const INTENT_TYPES = {
  Intent: [
    { name: 'multichain', type: 'bool' },
    { name: 'eoa', type: 'address' },
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'paymentToken', type: 'address' },
    { name: 'paymentMaxAmount', type: 'uint256' },
    { name: 'combinedGas', type: 'uint256' },
    { name: 'encodedPreCalls', type: 'bytes[]' },
    { name: 'encodedFundTransfers', type: 'bytes[]' },
    { name: 'settler', type: 'address' },
    { name: 'expiry', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const
