import { z } from 'zod'

const digits = z.string().regex(/^\d{1,78}$/, 'is not a decimal number')
const chainId = z.int().positive()
const deposit = { chainId, depositId: digits }
const held = {
  chainId,
  intentHash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
}
/** Smallest unit. */
const amount = digits.optional()
const payee = { processorName: z.string().min(1), offchainId: z.string().min(1) }
const command = <Name extends string, Members extends z.ZodRawShape>(name: Name, members: Members) =>
  z.strictObject({ command: z.literal(name), ...members })

/** Commands to buyers, curator and witness. */
export const cashCommand = z.discriminatedUnion('command', [
  /** Buyers wait this many seconds before they take a deposit, and again before they prove that they paid. */
  command('delay', { seconds: z.number().min(0).max(86_400) }),
  /** Buyers do nothing by themselves until `release`. */
  command('hold', {}),
  /** Buyers take every deposit by themselves. */
  command('release', {}),
  /** A buyer takes a deposit, or this amount of it. */
  command('take', { ...deposit, amount }),
  /** A buyer proves the payment of a held part, or of this amount of it; a late proof too. */
  command('prove', { ...held, amount }),
  /** Both at once. */
  command('fill', { ...deposit, amount }),
  /** A buyer gives up a held part. */
  command('cancel', held),
  /** The seller releases a held part, without a proof. */
  command('release-by-hand', held),
  /** The chain's clock moves beyond everything that is held of a deposit. */
  command('expire', deposit),
  /** Takes expired parts off the buyers' hands. */
  command('prune', deposit),
  /** The curator does not know a payee any more. */
  command('refuse-payee', payee),
  /** The price feed says something else: what a whole token costs, times 1e18; 0 for none. */
  command('set-rate', { chainId, currency: z.string(), rate: digits }),
])

/** A command after parsing. */
export type CashCommand = z.output<typeof cashCommand>
