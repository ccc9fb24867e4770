import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto'
import type { Hex } from 'viem'
import { addressOfPublicKey, formatChecksumAddress } from '../../proving/signing/address.ts'

/** Order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HARDENED = 2 ** 31
const ROUNDS = 2_048

/** A private key of 32 bytes with its chain code (BIP-32). */
interface ExtendedKey {
  key: Buffer
  chainCode: Buffer
}

/** A private key and its address. */
export interface DerivedAccount {
  privateKey: Hex
  address: Hex
}

const split = (bytes: Buffer): ExtendedKey => ({ key: bytes.subarray(0, 32), chainCode: bytes.subarray(32) })

function publicKeyOf(key: Buffer, form: 'compressed' | 'uncompressed'): Buffer {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(key)
  return curve.getPublicKey(null, form)
}

/** @param publicKey The parent's, where it is known already; hardened children do not need it. */
function deriveChild(
  { key, chainCode }: ExtendedKey,
  index: number,
  publicKey = index < HARDENED ? publicKeyOf(key, 'compressed') : null,
): ExtendedKey {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  const parent = publicKey ?? Buffer.concat([Buffer.alloc(1), key])
  const derived = split(createHmac('sha512', chainCode).update(parent).update(number).digest())
  const sum = (BigInt(`0x${derived.key.toString('hex')}`) + BigInt(`0x${key.toString('hex')}`)) % ORDER
  return { ...derived, key: Buffer.from(sum.toString(16).padStart(64, '0'), 'hex') }
}

/**
 * Derives accounts of a mnemonic without a passphrase, at m/44'/60'/0'/0/index (BIP-39, BIP-32), by OpenSSL: JavaScript takes a
 * quarter of a second for those of the devnet.
 */
export function openMnemonic(mnemonic: string): (index: number) => DerivedAccount {
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', ROUNDS, 64, 'sha512')
  const master = split(createHmac('sha512', 'Bitcoin seed').update(seed).digest())
  const parent = [44 + HARDENED, 60 + HARDENED, HARDENED, 0].reduce(
    (key, index) => deriveChild(key, index),
    master,
  )
  const publicKey = publicKeyOf(parent.key, 'compressed')
  return (index) => {
    const { key } = deriveChild(parent, index, publicKey)
    const address = formatChecksumAddress(addressOfPublicKey(publicKeyOf(key, 'uncompressed')))
    return { privateKey: `0x${key.toString('hex')}`, address }
  }
}
