import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FeeCommitmentMessage } from '../proving-pool.ts'
import { DOMAIN, encodeType, PRIMARY_TYPE } from './typed-data.ts'

const WORD = 32
const DOMAIN_TYPE = keccak_256(utf8ToBytes(encodeType('EIP712Domain')))
const DOMAIN_NAME = keccak_256(utf8ToBytes(DOMAIN.name))
const DOMAIN_VERSION = keccak_256(utf8ToBytes(DOMAIN.version))
const MESSAGE_TYPE = keccak_256(utf8ToBytes(encodeType(PRIMARY_TYPE)))
/** 0x1901, domain separator, message hash. */
const DIGEST_INPUT_SIZE = 2 + 2 * WORD

const BYTES = /^0x(?:[0-9a-f]{2})*$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i

/** EIP-712 digests of fee commitments, each chain's domain hashed once. */
export interface CommitmentDigest {
  /** Returns the 32 bytes to sign, or null where the message has a member that its type cannot hold. */
  digest(message: FeeCommitmentMessage): Uint8Array | null
}

function writeUint256(target: Uint8Array, offset: number, value: bigint): void {
  target.set(hexToBytes(value.toString(16).padStart(2 * WORD, '0')), offset)
}

function isUint256(value: bigint): boolean {
  return value >= 0n && value < 1n << 256n
}

function hashDomain(chainId: number): Uint8Array {
  const encoded = new Uint8Array(4 * WORD)
  encoded.set(DOMAIN_TYPE, 0)
  encoded.set(DOMAIN_NAME, WORD)
  encoded.set(DOMAIN_VERSION, 2 * WORD)
  writeUint256(encoded, 3 * WORD, BigInt(chainId))
  return keccak_256(encoded)
}

/**
 * Creates the hasher. Its `digest` returns null for a message that the EIP-712 type cannot hold, such as a negative amount.
 */
export function createCommitmentDigest(): CommitmentDigest {
  const domains = new Map<number, Uint8Array>()

  function domainOf(chainId: number): Uint8Array {
    let domain = domains.get(chainId)
    if (!domain) {
      domain = hashDomain(chainId)
      if (domains.size === 1_000) domains.clear() // callers ask for configured chains; this only bounds a mistake
      domains.set(chainId, domain)
    }
    return domain
  }

  return {
    digest({ chainId, withdrawalData, asset, expiration, amount, extraGas }) {
      const fits =
        Number.isSafeInteger(chainId) &&
        chainId >= 0 &&
        BYTES.test(withdrawalData) &&
        ADDRESS.test(asset) &&
        isUint256(expiration) &&
        isUint256(amount)
      if (!fits) return null
      const message = new Uint8Array(6 * WORD)
      message.set(MESSAGE_TYPE, 0)
      message.set(keccak_256(hexToBytes(withdrawalData.slice(2))), WORD)
      message.set(hexToBytes(asset.slice(2)), 3 * WORD - 20)
      writeUint256(message, 3 * WORD, expiration)
      writeUint256(message, 4 * WORD, amount)
      message[6 * WORD - 1] = extraGas ? 1 : 0
      const input = new Uint8Array(DIGEST_INPUT_SIZE)
      input.set([0x19, 0x01])
      input.set(domainOf(chainId), 2)
      input.set(keccak_256(message), 2 + WORD)
      return keccak_256(input)
    },
  }
}
