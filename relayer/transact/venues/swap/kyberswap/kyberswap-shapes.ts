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

/** What every answer has; a code other than 0 is a refusal. */
export const kyberswapStatus = z.object({ code: z.int() })

/** Of GET …/api/v1/routes. The summary goes back as it came, so more than this is kept of it. */
export const kyberswapRoute = z.object({
  data: z.object({
    routerAddress: address,
    routeSummary: z.looseObject({ tokenIn: z.string(), tokenOut: z.string() }),
  }),
})

/** What is read of a summary. */
export const kyberswapSummary = z.object({
  tokenIn: address,
  tokenOut: address,
  amountIn: amount,
  amountOut: amount,
})

/** Of POST …/api/v1/route/build. */
export const kyberswapBuild = z.object({ data: z.object({ routerAddress: address, data: bytes }) })

/** Codes of its refusals that mean that it does not exchange these tokens: no route, no pools, an unknown token. */
export const NO_ROUTE_CODES: readonly number[] = [4008, 4010, 4011]
