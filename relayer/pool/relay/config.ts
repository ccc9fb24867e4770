import { z } from 'zod'

/** Settings of the public relayer. */
export const withdrawalsConfig = z.strictObject({
  /** How long a fee commitment may be used, in milliseconds. */
  quoteTtlMs: z.int().min(5_000).max(600_000).default(60_000),
  /** Gas units whose price extraGas hands to the recipient in native coin: some four token transfers. */
  extraGasFundUnits: z.int().min(21_000).max(5_000_000).default(200_000),
  /** Requests being checked, verified or simulated at once; more answer 503 SERVER_BUSY. */
  maxInHand: z.int().min(1).max(10_000).default(256),
  /** Transactions of one chain that are not yet final; beyond it requests answer 503 SERVER_BUSY. */
  maxPending: z.int().min(1).max(100_000).default(512),
  /** How long POST /relayer/request waits for a node to take the transaction before it answers without its hash. */
  sendWaitMs: z.int().min(1_000).max(120_000).default(30_000),
  /**
   * Requests that may wait at once. Beyond it they are answered without the hash, so a stalled chain cannot starve
   * the others.
   */
  maxAwaiting: z.int().min(1).max(10_000).default(256),
  /** Distinct notes whose relays must have reverted at a recipient before it is refused for a time, whatever note pays it. */
  blameRecipientAfter: z.int().min(2).max(1_000).default(3),
  /** Fewer relays than this left in a chain's signers at today's gas, and no more quotes are given. */
  minRunway: z.int().min(1).max(1_000).default(2),
  /**
   * State roots reserved for deposits by strangers: while relays of a pool are under way, a proof is refused when its
   * root's age, those relays and this number reach the 64 roots that the pool remembers.
   */
  rootReserve: z.int().min(0).max(32).default(1),
  /** Wall-clock limit of a simulation, in milliseconds. */
  simulateTimeoutMs: z.int().min(100).max(60_000).default(5_000),
})

/** The settings of the public relayer after parsing, defaults filled in. */
export type WithdrawalsConfig = z.output<typeof withdrawalsConfig>
