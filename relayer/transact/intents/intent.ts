import type { Address, Hex } from 'viem'

/** One call that an account makes when its intent is executed. Value in wei. */
export interface Call {
  /** The zero address stands for the account itself (ERC-7821). */
  to: Address
  value: bigint
  data: Hex
}

/** The Orchestrator's Intent struct. */
export interface Intent {
  eoa: Address
  /** `abi.encode(Call[])`. */
  executionData: Hex
  /** Sequence key (192 bits) ‖ sequence (64 bits). */
  intentNonce: bigint
  /** Payer of the payment fields; the zero address for the account itself. */
  payer: Address
  paymentToken: Address
  paymentMaxAmount: bigint
  /** Gas for verification, payment and calls together. */
  combinedGas: bigint
  encodedPreCalls: readonly Hex[]
  encodedFundTransfers: readonly Hex[]
  settler: Address
  /** Seconds since 1970; 0 never expires. */
  expiry: bigint
  /** True if `signature` is a Merkle proof over several chains' intents: not the same as a multichain nonce. */
  isMultichain: boolean
  funder: Address
  funderSignature: Hex
  settlerContext: Hex
  /** Not signed: the sender of the intent may set it, up to `paymentMaxAmount`. */
  paymentAmount: bigint
  /** Not signed either, which is why our fee is a call instead. */
  paymentRecipient: Address
  signature: Hex
  paymentSignature: Hex
  /** The implementation that the account must run; the zero address allows any. */
  supportedAccountImplementation: Address
}

const MULTICHAIN_PREFIX = 0xc1d0n

/**
 * True if an intent is signed without a chain id, by the top 16 bits of its nonce (Orchestrator,
 * MULTICHAIN_NONCE_PREFIX).
 */
export function isMultichainNonce(intentNonce: bigint): boolean {
  return intentNonce >> 240n === MULTICHAIN_PREFIX
}
