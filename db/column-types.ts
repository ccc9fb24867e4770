import { z } from 'zod'

type Hex = `0x${string}`

/** A column of text that this service wrote as 0x-hex. */
export const hexText = z.string().transform((text) => text as Hex)
/** bytea as 0x-hex. */
export const hexBytes = z
  .instanceof(Uint8Array)
  .transform((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
/** An int8 that fits a number: chain ids, transaction nonces, gas. */
export const smallInteger = z.bigint().transform(Number)

/** The bytes of a 0x-hex text, for a bytea column. */
export function bytesOfHex(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}
