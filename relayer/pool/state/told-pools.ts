import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string()])
const amount = z.codec(z.string().regex(/^\d+$/), z.bigint(), { decode: BigInt, encode: String })

const toldRoots = z.object({
  /** Leaves of the tree. */
  size: z.int().nonnegative(),
  /** The newest state roots in the order of insertion. */
  newest: z.array(amount),
  /** The block of the read. */
  asOf: amount,
})

const toldPools = z.object({
  /** The Entrypoint's latest root; null if it has none. */
  aspRoot: amount.nullable(),
  pools: z.array(
    z.object({
      address: hex,
      minDeposit: amount,
      vettingFeeBps: amount,
      maxRelayFeeBps: amount,
      roots: toldRoots,
    }),
  ),
  /** Configured assets without a pool. */
  missing: z.array(hex),
})

/** State roots of a pool, as one instance sends them to others. */
export type ToldRoots = z.output<typeof toldRoots>
/** An instance's read of a chain's pools at a head. */
export type ToldPools = z.output<typeof toldPools>

/** Encodes a read of pools for other instances. */
export const encodeToldPools = (told: ToldPools): string => JSON.stringify(z.encode(toldPools, told))

/** Decodes it; null if another version wrote it. */
export function decodeToldPools(text: string): ToldPools | null {
  try {
    return toldPools.parse(JSON.parse(text))
  } catch {
    return null
  }
}
