import { setTimeout as delay } from 'node:timers/promises'
import { TaskError } from '../task-result.ts'
import { formatChecksumAddress } from './address.ts'
import { askSigner, SignerUnreachable } from './ask-signer.ts'
import type { CommitmentSigner, RemoteKey } from './commitment-signer.ts'
import type { Ecdsa } from './ecdsa.ts'
import { recoverSigner } from './recover-signer.ts'
import { writeTypedData } from './typed-data.ts'

type Hex = `0x${string}`

/** Pauses before the second and the third attempt, in milliseconds: a signer that restarts closes its connections. */
const PAUSES = [50, 250]

async function askPatiently(key: RemoteKey, params: readonly unknown[]): Promise<unknown> {
  for (const pause of PAUSES) {
    try {
      return await askSigner(key, params)
    } catch (error) {
      if (!(error instanceof SignerUnreachable)) throw error
      await delay(pause)
    }
  }
  return askSigner(key, params)
}

/** Some signers number the recovery 0 and 1. */
function writeCanonically(result: unknown): string {
  if (typeof result !== 'string') return ''
  return result
    .toLowerCase()
    .replace(/^(0x[0-9a-f]{128})0([01])$/, (_, rs: string, v: string) => (v === '0' ? `${rs}1b` : `${rs}1c`))
}

/**
 * Signs with a key at an HTTP signer, by `eth_signTypedData_v4` over JSON-RPC. Parameters are the address and the JSON text
 * of the EIP-712 message, the result is the signature. Other methods differ in name; `account_signTypedData` takes the
 * message as an object. The signer is not trusted: its answer is accepted only when it recovers to its address from the
 * digest that we computed.
 */
export function createRemoteSigner(key: RemoteKey, ecdsa: Ecdsa): CommitmentSigner {
  const wanted = key.address.toLowerCase()
  const hasSigned = (digest: Uint8Array, signature: string) =>
    recoverSigner(ecdsa, digest, signature) === wanted
  const fail = (code: 'unavailable' | 'internal', what: string, cause?: unknown) =>
    new TaskError(code, `the remote signer of ${key.address} ${what}`, { cause })

  return {
    address: formatChecksumAddress(key.address),
    hasSigned,
    async sign(message, digest) {
      const data = writeTypedData(message)
      const params = [key.address, key.method === 'account_signTypedData' ? data : JSON.stringify(data)]
      const result = await askPatiently(key, params).catch((error: Error) => {
        if (error instanceof SignerUnreachable)
          throw fail('unavailable', `cannot be reached: ${error.message}`, error)
        throw fail('internal', `refuses: ${error.message}`, error)
      })
      const signature = writeCanonically(result)
      if (!hasSigned(digest, signature))
        throw fail('internal', 'returned something else than its signature of this fee commitment')
      return signature as Hex
    },
  }
}
