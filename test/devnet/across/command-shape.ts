import { z } from 'zod'

/** A deposit, by the chain on which it was made and the number that its SpokePool gave it. */
const deposit = {
  originChainId: z.int().positive(),
  depositId: z.string().regex(/^\d{1,78}$/, 'is not a decimal number'),
}
const bare = <Name extends string>(name: Name) => z.strictObject({ command: z.literal(name) })
const about = <Name extends string>(name: Name) => z.strictObject({ command: z.literal(name), ...deposit })

/** Commands to the filler. */
export const fillerCommand = z.discriminatedUnion('command', [
  /** Fill this many seconds after the deposit. */
  z.strictObject({ command: z.literal('delay'), seconds: z.number().min(0).max(86_400) }),
  /** Fill nothing until `release`. */
  bare('hold'),
  /** Never fill deposits made until `release`. */
  bare('refuse-all'),
  /** Fill again, refused deposits excepted. */
  bare('release'),
  /** Never fill this deposit. */
  about('refuse'),
  /** Pay one unit of a relay that differs in its amount alone: the contract then reports a fill of the same deposit. */
  about('spoof'),
  /** Let the SpokePool itself pay, as Across does when no filler wants to. */
  about('slow-fill'),
  /** Move the destination's clock beyond the fill deadline. */
  about('expire'),
  /** Pay an expired deposit back, as Across does hours later. */
  about('refund'),
])

/** A command after parsing. */
export type FillerCommand = z.output<typeof fillerCommand>
