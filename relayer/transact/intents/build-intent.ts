import { zeroAddress, type Address } from 'viem'
import { encodeCalls } from './encode-calls.ts'
import type { Call, Intent } from './intent.ts'

/** Members in which the service's intents differ. */
export interface IntentRequest {
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
export function buildIntent(request: IntentRequest): Intent {
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
