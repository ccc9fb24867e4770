import { zeroAddress, type Address, bytesToBigInt, bytesToHex, getAddress } from 'viem'
import { encodeCalls } from './encode-calls.ts'
import { type Call, type Intent, isMultichainNonce } from './intent.ts'
import { randomBytes } from 'node:crypto'

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
