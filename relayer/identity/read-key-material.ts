import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { KeyMaterial } from './identity.ts'
import { badRequest } from '../errors.ts'

const POINT = /^0x04[0-9a-f]{128}$/i
const SCALAR = /^0x[0-9a-f]{64}$/i

const isPoint = (text: string) => {
  try {
    secp256k1.Point.fromHex(text.slice(2)).assertValidity()
    return true
  } catch {
    return false
  }
}

const isScalar = (text: string) => {
  const value = BigInt(text)
  return value > 0n && value < secp256k1.Point.Fn.ORDER
}

const point = z
  .string('is missing or no text')
  .regex(POINT, { error: 'is no uncompressed point: 0x04 and 128 hex digits', abort: true })
  .refine(isPoint, 'is not on the curve')
  .transform((text) => text.toLowerCase() as Hex)

const scalar = z
  .string('is missing or no text')
  .regex(SCALAR, { error: 'is no private key: 0x and 64 hex digits', abort: true })
  .refine(isScalar, 'is not between 1 and the order of the curve')
  .transform((text) => text.toLowerCase() as Hex)

const keyMaterial = z.object({ P_spend: point, P_view: point, child_p_view: scalar })

/**
 * Reads the decrypted key material: UTF-8 JSON of P_spend, P_view and child_p_view.
 *
 * @throws ServiceError `bad-request` that names the invalid member without its content.
 */
export function readKeyMaterial(plaintext: Uint8Array): KeyMaterial {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
  } catch {
    throw badRequest('the decrypted key material is not JSON in UTF-8')
  }
  const parsed = keyMaterial.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const member = issue?.path.join('.')
    throw badRequest(
      member ? `${member} in the key material ${issue?.message}` : 'the key material is no object',
    )
  }
  const { P_spend, P_view, child_p_view } = parsed.data
  return { spendPublicKey: P_spend, viewPublicKey: P_view, childViewKey: child_p_view }
}
