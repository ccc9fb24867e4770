import type { WalletKeys } from 'stealth-relay/client'
import { bytesToHex } from 'viem'

/** The order of secp256k1's group begins with so many ones that no hash will ever exceed it. */
const isKey = (hex: string) => !hex.startsWith('0xffffffff') && !/^0x0{16}/.test(hex)

/**
 * Derives both keys of a wallet from one secret, by HKDF-SHA-256 with an info of each.
 * @param secret 32 bytes, from a passkey or random.
 */
export async function deriveWalletKeys(secret: Uint8Array<ArrayBuffer>): Promise<WalletKeys> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const derive = async (use: string) => {
    const info = new TextEncoder().encode(`stealth-relay wallet v1 ${use}`)
    const terms = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info }
    const hex = bytesToHex(new Uint8Array(await crypto.subtle.deriveBits(terms, key, 256)))
    if (!isKey(hex)) throw new Error('this secret gives no valid key')
    return hex
  }
  return { spendKey: await derive('spend'), viewKey: await derive('view') }
}

/** A secret for a wallet without a passkey. */
export const createSecret = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32))
