import {
  type Address,
  type Hex,
  zeroAddress,
  bytesToBigInt,
  bytesToHex,
  getAddress,
  decodeAbiParameters,
  encodeAbiParameters,
  size,
  encodeFunctionData,
  erc20Abi,
  parseAbiParameters,
} from 'viem'
import { randomBytes } from 'node:crypto'
import { orchestratorAbi } from './intent-abi.ts'

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

/** Members in which the service's intents differ. */
interface Members {
  eoa: Address
  /** Calls in order, the fee among them, so that it is signed. */
  calls: readonly Call[]
  intentNonce: bigint
  combinedGas: bigint
  /** Seconds since 1970. */
  expiry: bigint
  accountImplementation: Address
}

/**
 * Builds an unsigned intent of one account on one chain. All payment fields are zero. Anybody may copy an intent from a
 * public mempool and name themselves payment recipient, so there must be nothing to gain.
 */
export function buildIntent(request: Members): Intent {
  return {
    eoa: request.eoa,
    executionData: encodeCalls(request.calls),
    intentNonce: request.intentNonce,
    payer: zeroAddress,
    paymentToken: zeroAddress,
    paymentMaxAmount: 0n,
    combinedGas: request.combinedGas,
    encodedPreCalls: [],
    encodedFundTransfers: [],
    settler: zeroAddress,
    expiry: request.expiry,
    isMultichain: false,
    funder: zeroAddress,
    funderSignature: '0x',
    settlerContext: '0x',
    paymentAmount: 0n,
    paymentRecipient: zeroAddress,
    signature: '0x',
    paymentSignature: '0x',
    supportedAccountImplementation: request.accountImplementation,
  }
}

const KEY_BYTES = 24

/**
 * Creates a fresh nonce: a random sequence key (192 bits) with sequence 0, so that intents of one account
 * need no order. Keys that would sign without a chain id are drawn again.
 */
export function createIntentNonce(random: (size: number) => Uint8Array = randomBytes): bigint {
  for (;;) {
    const intentNonce = bytesToBigInt(random(KEY_BYTES)) << 64n
    if (!isMultichainNonce(intentNonce)) return intentNonce
  }
}

/** Creates a random address to use in queries whose answer does not depend on the real one. */
export const createStandIn = (): Address => getAddress(bytesToHex(randomBytes(20)))

/** Calls in the encoding of ERC-7821. */
export const CALLS = parseAbiParameters('(address to, uint256 value, bytes data)[]')

/** Most calls of one intent. */
const MAX_CALLS = 64
/** Most bytes of one intent's executionData: half of the largest transaction that nodes accept. */
const MAX_EXECUTION_BYTES = 65_536

/**
 * Encodes the executionData of an intent: `abi.encode(Call[])` (ERC-7821), in lower case although an app’s
 * calldata may not be.
 */
export function encodeCalls(calls: readonly Call[]): Hex {
  return encodeAbiParameters(CALLS, [calls]).toLowerCase() as Hex
}

/**
 * Decodes the calls of an executionData. Null unless it is the canonical encoding of 1 to 64 calls within 64
 * KiB. Only the calls are signed, so exactly one encoding of a list may pass.
 */
export function decodeCalls(executionData: Hex): readonly Call[] | null {
  if (size(executionData) > MAX_EXECUTION_BYTES) return null
  try {
    const [calls] = decodeAbiParameters(CALLS, executionData)
    const fits = calls.length > 0 && calls.length <= MAX_CALLS
    return fits && encodeCalls(calls) === executionData.toLowerCase() ? calls : null
  } catch {
    return null
  }
}

/** Encodes a call that pays an amount of a token, or of the native coin if the token is the zero address. */
export function encodeTransfer(token: Address, to: Address, amount: bigint): Call {
  if (token === zeroAddress) return { to, value: amount, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: token, value: 0n, data }
}

/** Encodes a call that allows a spender to take an amount of a token. */
export const encodeApproval = (token: Address, spender: Address, amount: bigint): Call => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})

/**
 * Puts calls between the approval of exactly the amount that they take and its reset, for tokens that do not count an
 * allowance down and for spenders that take less. A remaining `allowance` is reset first, since some tokens refuse to
 * change one.
 */
export const withApproval = (
  {
    token,
    spender,
    amount,
    allowance,
  }: { token: Address; spender: Address; amount: bigint; allowance: bigint },
  calls: readonly Call[],
): Call[] => [
  ...(allowance > 0n ? [encodeApproval(token, spender, 0n)] : []),
  encodeApproval(token, spender, amount),
  ...calls,
  encodeApproval(token, spender, 0n),
]

/** Encodes the calldata that executes signed intents in order. */
export function encodeBatch(encoded: readonly Hex[]): Hex {
  const [only, ...more] = encoded
  if (!only) throw new RangeError('no intent to execute')
  return more.length === 0
    ? encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [only] })
    : encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [[...encoded]] })
}

/** Order and types of the struct on the chain. */
const INTENT = parseAbiParameters([
  'Intent intent',
  'struct Intent { address eoa; bytes executionData; uint256 nonce; address payer; address paymentToken; uint256 paymentMaxAmount; uint256 combinedGas; bytes[] encodedPreCalls; bytes[] encodedFundTransfers; address settler; uint256 expiry; bool isMultichain; address funder; bytes funderSignature; bytes settlerContext; uint256 paymentAmount; address paymentRecipient; bytes signature; bytes paymentSignature; address supportedAccountImplementation; }',
])

/** Encodes the intent for the Orchestrator: `abi.encode(Intent)`. */
export function encodeIntent({ intentNonce, ...intent }: Intent): Hex {
  return encodeAbiParameters(INTENT, [{ ...intent, nonce: intentNonce }])
}

/** Decodes an encoded intent. @throws BaseError for bytes that are no such struct. */
export function decodeIntent(encoded: Hex): Intent {
  const [{ nonce, ...intent }] = decodeAbiParameters(INTENT, encoded)
  return { ...intent, intentNonce: nonce }
}
