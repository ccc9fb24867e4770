import { createHmac } from 'node:crypto'
import type { StealthCurve } from './stealth-curve.ts'

/** A private node of BIP-32. Its creator must wipe it. */
export interface HardenedNode {
  key: Buffer
  chainCode: Buffer
}

const HARDENED = 0x8000_0000

function split(key: string | Buffer, data: Uint8Array): HardenedNode {
  const mac = createHmac('sha512', key).update(data).digest()
  return { key: mac.subarray(0, 32), chainCode: mac.subarray(32) }
}

/** The master node of a seed (BIP-32). @throws RangeError for the one seed in 2^127 that has none. */
export function masterNode(curve: StealthCurve, seed: Uint8Array): HardenedNode {
  const node = split('Bitcoin seed', seed)
  if (!curve.isKey(node.key)) throw new RangeError('the seed has no master key')
  return node
}

/**
 * Derives the hardened child of an index below 2^31: unlike other children it needs no public key. @throws where there is
 * none, one in 2^127.
 */
export function hardenedChild(curve: StealthCurve, parent: HardenedNode, index: number): HardenedNode {
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
export function wipe(node: HardenedNode): void {
  node.key.fill(0)
  node.chainCode.fill(0)
}
