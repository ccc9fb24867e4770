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
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { shareSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import type { Outbox } from './outbox.ts'

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

/** Changes by a renewal of the leases. */
interface LeaseChanges {
  /** The chains where this instance gained a signer. */
  gained: ReadonlySet<number>
  /** True if signers were released, which other instances may claim. */
  hasGivenUp: boolean
}

/**
 * Renews, claims and releases leases so that this instance has its share of each chain's signers, and records which it has.
 */
export async function keepLeases(
  pool: DatabasePool,
  logger: Logger,
  { owner, leaseMs }: { owner: string; leaseMs: number },
  outboxes: readonly Outbox[],
): Promise<LeaseChanges> {
  const leases = await shareSigners(pool, owner, outboxes.flatMap(listKeys), leaseMs)
  const gained = new Set<number>()
  for (const outbox of outboxes) {
    const { chain, signers } = outbox
    const { chainId } = chain.config
    const leased: Address[] = []
    const released: Address[] = []
    for (const [address, signer] of signers) {
      const isHeld = leases.some((one) => one.isHeld && one.chainId === chainId && one.address === address)
      if (isHeld === signer.leased) continue
      if (isHeld) {
        gained.add(chainId)
        // Read its nonces from the chain again.
        signer.txNonce = null
        outbox.lookedAt = -Infinity
      }
      if (isHeld) leased.push(address)
      else released.push(address)
      signer.leased = isHeld
      // Another holder may have handed out more meanwhile.
      signer.nextTxNonce = null
    }
    if (leased.length > 0) logger.info({ chainId, signers: leased }, 'signers leased')
    if (released.length > 0)
      logger.info({ chainId, signers: released }, 'other instances lease these signers now')
  }
  return { gained, hasGivenUp: leases.some(({ isHeld }) => !isHeld) }
}

/** The keys of an outbox's signers, with the duty of each. */
export const listKeys = ({ chain, signers }: Outbox) =>
  [...signers].map(([address, { duty }]) => ({ chainId: chain.config.chainId, address, duty }))
