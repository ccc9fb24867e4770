import {
  bytesToHex,
  hexToBytes,
  keccak256,
  serializeTransaction,
  type Address,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import { addressOfPrivateKey } from '../../../proving/signing/address.ts'
import { loadEcdsa } from '../../../proving/signing/ecdsa.ts'

/** A local key that signs transactions. */
export interface SignerAccount {
  readonly address: Address
  signTransaction(transaction: TransactionSerializable): Promise<Hex>
}

/**
 * Signs exactly as viem's own accounts do, but by libsecp256k1 where that loads, because signing a batch blocks the event
 * loop.
 */
export function openSignerAccount(key: Hex): SignerAccount {
  const secret = hexToBytes(key)
  const loading = loadEcdsa()
  return {
    address: addressOfPrivateKey(key),
    async signTransaction(transaction) {
      const ecdsa = await loading
      const signature = ecdsa.sign(keccak256(serializeTransaction(transaction), 'bytes'), secret)
      return serializeTransaction(transaction, {
        r: bytesToHex(signature.subarray(0, 32)),
        s: bytesToHex(signature.subarray(32, 64)),
        yParity: (signature[64] ?? 0) - 27,
      })
    },
  }
}
