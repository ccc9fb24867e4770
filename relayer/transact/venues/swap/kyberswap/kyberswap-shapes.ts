import { isAddress, type Hex } from 'viem'
import { z } from 'zod'

/** An address in any spelling; the service writes lower case and checksummed ones. */
const address = z
  .string()
  .max(42)
  .refine((text) => isAddress(text, { strict: false }))
/** An amount of at most 256 bits, in smallest units. */
const amount = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n)
const bytes = z
  .string()
  .max(131_072)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
  .transform((text) => text as Hex)

/** Common member of every answer; a code other than 0 is a refusal. */
export const kyberswapStatus = z.object({ code: z.int() })

/** Answer of GET …/api/v1/routes. The summary is returned to the service unchanged, so all of its members are kept. */
export const kyberswapRoute = z.object({
  data: z.object({
    routerAddress: address,
    routeSummary: z.looseObject({ tokenIn: z.string(), tokenOut: z.string() }),
  }),
})

/** Members of a summary that are used. */
export const kyberswapSummary = z.object({
  tokenIn: address,
  tokenOut: address,
  amountIn: amount,
  amountOut: amount,
})

/** Answer of POST …/api/v1/route/build. */
export const kyberswapBuild = z.object({ data: z.object({ routerAddress: address, data: bytes }) })

/** Refusals that mean that the service does not exchange these tokens: no route, no pools, an unknown token. */
export const NO_ROUTE_CODES: readonly number[] = [4008, 4010, 4011]
