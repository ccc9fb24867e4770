const TRANSACTION = 21_000n
const PER_TOKEN = 4n
const FLOOR_PER_TOKEN = 10n
const CREATE = 32_000n
const PER_INITCODE_WORD = 2n
const PER_AUTHORIZATION = 25_000n

/** Part of PER_AUTHORIZATION that is refunded when the authority exists already (EIP-7702). */
export const REFUND_PER_AUTHORIZATION = 12_500n

/** Computes the gas of a transaction before its first instruction, and its least gas in all (EIP-7623). */
export function computeIntrinsicGas(call: {
  data: Uint8Array
  isCreate: boolean
  authorizations: number
  /** Since Prague. */
  hasFloor: boolean
}): {
  gas: bigint
  floor: bigint
} {
  const zeros = call.data.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0)
  const tokens = BigInt(zeros + 4 * (call.data.length - zeros))
  const words = BigInt(Math.ceil(call.data.length / 32))
  const create = call.isCreate ? CREATE + PER_INITCODE_WORD * words : 0n
  const gas = TRANSACTION + PER_TOKEN * tokens + create + PER_AUTHORIZATION * BigInt(call.authorizations)
  return { gas, floor: call.hasFloor ? TRANSACTION + FLOOR_PER_TOKEN * tokens : 0n }
}
