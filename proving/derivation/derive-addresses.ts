import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { formatChecksumAddress } from '../signing/address.ts'
import type { StealthCurve } from './stealth-curve.ts'
import { createHmac } from 'node:crypto'

type Hex = `0x${string}`

/** The keys from which an account's addresses are derived. */
export interface DerivationKeys {
  /** 32 bytes, secret: it links the account's addresses to each other. */
  childViewKey: Uint8Array
  /** 65 bytes, uncompressed. */
  spendPublicKey: Uint8Array
}

/** The first derivationNonce that is refused. */
export const DERIVATION_NONCE_END = 0x7ff_ffff_ffff_ffffn

/**
 * Derives the one-time addresses of an account, checksummed, in the order of the derivationNonces: r · P_spend. Here r is
 * the keccak256 of the secret shared by `m/0'/0'/{n >> 28}'/{n mod 2^28}'` of the viewing key and P_spend. Only the holder
 * of p_spend has their keys, p_spend · r mod n. It stores nothing; the caller wipes the keys.
 *
 * @throws RangeError for a derivationNonce below 0 or from 0x7ffffffffffffff on.
 */
export function deriveAddresses(
  curve: StealthCurve,
  { childViewKey, spendPublicKey }: DerivationKeys,
  derivationNonces: readonly bigint[],
): Hex[] {
  for (const nonce of derivationNonces) {
    if (nonce < 0n || nonce >= DERIVATION_NONCE_END)
      throw new RangeError('a derivationNonce must be at least 0 and below 0x7ffffffffffffff')
  }
  const nodes: HardenedNode[] = []
  const keep = (node: HardenedNode) => {
    nodes.push(node)
    return node
  }
  const child = (parent: HardenedNode, index: number) => keep(hardenedChild(curve, parent, index))
  try {
    const root = child(child(keep(masterNode(curve, childViewKey)), 0), 0)
    let branch: { index: number; node: HardenedNode } | undefined
    return derivationNonces.map((nonce) => {
      const index = Number(nonce >> 28n)
      // successive nonces share all steps but the last
      if (branch?.index !== index) branch = { index, node: child(root, index) }
      const { key } = child(branch.node, Number(nonce & 0xfff_ffffn))
      const shared = curve.multiply(spendPublicKey, key)
      const secret = keccak_256(shared)
      const point = curve.multiply(spendPublicKey, secret)
      shared.fill(0)
      secret.fill(0)
      return formatChecksumAddress(`0x${bytesToHex(keccak_256(point).subarray(12))}`)
    })
  } finally {
    nodes.forEach(wipe)
  }
}

/** A private node of BIP-32. Its creator must wipe it. */
interface HardenedNode {
  key: Buffer
  chainCode: Buffer
}

const HARDENED = 0x8000_0000

function split(key: string | Buffer, data: Uint8Array): HardenedNode {
  const mac = createHmac('sha512', key).update(data).digest()
  return { key: mac.subarray(0, 32), chainCode: mac.subarray(32) }
}

/** The master node of a seed (BIP-32). @throws RangeError for the one seed in 2^127 that has none. */
function masterNode(curve: StealthCurve, seed: Uint8Array): HardenedNode {
  const node = split('Bitcoin seed', seed)
  if (!curve.isKey(node.key)) throw new RangeError('the seed has no master key')
  return node
}

/**
 * Derives the hardened child of an index below 2^31: unlike other children it needs no public key. @throws where there is
 * none, one in 2^127.
 */
function hardenedChild(curve: StealthCurve, parent: HardenedNode, index: number): HardenedNode {
  const data = Buffer.alloc(37)
  parent.key.copy(data, 1)
  data.writeUInt32BE(HARDENED + index, 33)
  const child = split(parent.chainCode, data)
  curve.addToKey(child.key, parent.key)
  data.fill(0)
  return child
}

/**
 * Overwrites the node's private key and chain code with zeros, so that neither stays in the thread's memory.
 */
function wipe(node: HardenedNode): void {
  node.key.fill(0)
  node.chainCode.fill(0)
}
