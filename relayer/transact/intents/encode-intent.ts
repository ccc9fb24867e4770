import { decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import type { Intent } from './intent.ts'

/** Order and types of the struct on the chain. */
const INTENT = [
  {
    type: 'tuple',
    components: [
      { name: 'eoa', type: 'address' },
      { name: 'executionData', type: 'bytes' },
      { name: 'nonce', type: 'uint256' },
      { name: 'payer', type: 'address' },
      { name: 'paymentToken', type: 'address' },
      { name: 'paymentMaxAmount', type: 'uint256' },
      { name: 'combinedGas', type: 'uint256' },
      { name: 'encodedPreCalls', type: 'bytes[]' },
      { name: 'encodedFundTransfers', type: 'bytes[]' },
      { name: 'settler', type: 'address' },
      { name: 'expiry', type: 'uint256' },
      { name: 'isMultichain', type: 'bool' },
      { name: 'funder', type: 'address' },
      { name: 'funderSignature', type: 'bytes' },
      { name: 'settlerContext', type: 'bytes' },
      { name: 'paymentAmount', type: 'uint256' },
      { name: 'paymentRecipient', type: 'address' },
      { name: 'signature', type: 'bytes' },
      { name: 'paymentSignature', type: 'bytes' },
      { name: 'supportedAccountImplementation', type: 'address' },
    ],
  },
] as const

/** Encodes the intent for the Orchestrator: `abi.encode(Intent)`. */
export function encodeIntent({ intentNonce, ...intent }: Intent): Hex {
  return encodeAbiParameters(INTENT, [{ ...intent, nonce: intentNonce }])
}

/** Decodes an encoded intent. @throws BaseError for bytes that are no such struct. */
export function decodeIntent(encoded: Hex): Intent {
  const [{ nonce, ...intent }] = decodeAbiParameters(INTENT, encoded)
  return { ...intent, intentNonce: nonce }
}
