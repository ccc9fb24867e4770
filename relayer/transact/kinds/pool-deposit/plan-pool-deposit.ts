import { randomBytes } from 'node:crypto'
import { bytesToBigInt, formatUnits } from 'viem'
import { z } from 'zod'
import { conversionConflict, insertConversions } from '../../../../db/pool/notes/pool-conversions.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/simulated-run.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import type { AccountPool } from '../../../pool/state/find-account-pool.ts'
import { maxDepositOf } from '../../../pool/state/supported-pools.ts'
import { hasArrived } from '../check-parties.ts'
import { rememberAllowances } from '../read-allowance.ts'
import type { KindContext } from '../quote-kind.ts'
import type {
  FundedPart,
  FunderFilter,
  PaidPart,
  PlanCaveat,
  QuotePlan,
  SpendingPlan,
} from '../quote-plan.ts'
import { makesDeposit, encodeDeposit } from './deposit-calls.ts'
import { refuseUsed } from './check-precommitments.ts'
import { grossOf, leastNetOf, noteValueOf, vettingFeeOf } from './deposit-amounts.ts'
import {
  depositAmountTooLarge,
  depositAmountTooSmall,
  depositIndexTaken,
  precommitmentsNeeded,
} from './errors.ts'
import type { Precommitment } from './pool-deposit-request.ts'

/** Highest deposit index that one published wallet searches by default. */
const DEFAULT_SCAN = 99
/** Gas that growth of the tree may add before a deposit is mined: 13,000 for each of eight levels (measured). */
export const GROWTH_GAS = 8n * 13_000n
/** Gas of every deposit, whatever the state of the tree: enough for a usual token and fifteen levels. */
const DEPOSIT_GAS = 786_432n

/** Details of the quote that its refresh and its submission need. */
export const depositDetails = z.object({
  /** Sum of the notes' values, decimal digits; null for everything. */
  net: z.string().nullable(),
  precommitments: z.array(z.object({ depositIndex: z.int(), precommitment: z.string() })),
  mayJoin: z.boolean(),
  vettingFeeBps: z.string(),
})

/** A deposit with its pool. */
export interface PlannedDeposit {
  found: AccountPool
  /** Sum of the notes' values, smallest unit. */
  net: bigint | 'max'
  precommitments: readonly Precommitment[]
  /** The lowest index that the account has not used. */
  nextIndex: number
  funders: FunderFilter
  /** Several addresses may deposit. */
  mayJoin: boolean
  decimals?: number | undefined
}

/** Plans the spending of deposits into a pool. */
export function spendByDepositing(
  { sending }: KindContext,
  { found, precommitments, nextIndex, funders, mayJoin }: Omit<PlannedDeposit, 'net' | 'decimals'>,
): SpendingPlan {
  const { pool, chain } = found
  const { entrypoint } = chain.config.relayer
  const { address: token } = tokenIdOf(pool.chainId, pool.asset.asset)
  const bounds = boundsOf(found)
  const allowanceOf = rememberAllowances(sending.chain.client, { token, spender: entrypoint })
  const calls = async ({ payer, amount }: PaidPart, precommitment: bigint) =>
    encodeDeposit({ entrypoint, token, gross: amount, precommitment, allowance: await allowanceOf(payer) })
  return {
    token,
    funding: { from: 'holdings', funders, mayJoin },
    isNativeAtPar: false,
    bounds,
    vettingOf: (gross) => vettingFeeOf(gross, pool.vettingFeeBps),
    extraGas: GROWTH_GAS,
    leastGas: DEPOSIT_GAS,
    gasKey: `deposit ${pool.address}`,
    // A random precommitment: the trial is run, and never signed.
    trial: {
      amount: bounds.least,
      calls: (part) => calls(part, bytesToBigInt(randomBytes(31)) + 1n),
    },
    foresee: (payer) => void allowanceOf(payer).catch(() => undefined),
    calls(part) {
      if (part.amount < bounds.least) throw bounds.tooSmall()
      if (part.amount > bounds.most) throw bounds.tooLarge()
      const own = precommitments[part.place]
      if (own) return calls(part, own.precommitment)
      throw precommitmentsNeeded(`Deposits from ${part.count} addresses need as many precommitments`, {
        details: { count: part.count, nextDepositIndex: nextIndex },
      })
    },
  }
}

/** Returns the least and the most of one deposit, gross, with errors that name the limits of a note's value. */
function boundsOf({ pool }: AccountPool) {
  const { symbol, decimals, asset } = pool.asset
  const { vettingFeeBps } = pool
  const ofToken = {
    tokenSymbol: symbol,
    tokenAddress: tokenIdOf(pool.chainId, asset).address,
    tokenDecimals: decimals,
  }
  const [least, most] = [pool.minDeposit > 0n ? pool.minDeposit : 1n, maxDepositOf(pool.asset)]
  const minAmount = formatUnits(leastNetOf(least, vettingFeeBps), decimals)
  const maxAmount = formatUnits(noteValueOf(most, vettingFeeBps), decimals)
  return {
    least,
    most,
    tooSmall: () =>
      depositAmountTooSmall(`A deposit is worth at least ${minAmount} ${symbol}`, {
        details: { ...ofToken, minAmount },
      }),
    tooLarge: () =>
      depositAmountTooLarge(`A deposit is worth at most ${maxAmount} ${symbol}`, {
        details: { ...ofToken, maxAmount },
      }),
  }
}

/**
 * Plans deposits into a pool: the engine spends gross amounts, and the notes have net amounts.
 * @throws ServiceError `bad-request` DEPOSIT_AMOUNT_TOO_SMALL, DEPOSIT_AMOUNT_TOO_LARGE.
 */
export function planPoolDeposit(context: KindContext, deposit: PlannedDeposit): QuotePlan {
  const { found, net, precommitments, mayJoin, decimals } = deposit
  const { pool } = found
  const { vettingFeeBps } = pool
  const spending = spendByDepositing(context, deposit)
  const bounds = boundsOf(found)
  const amount = net === 'max' ? 'max' : grossOf(net, vettingFeeBps)
  if (amount !== 'max' && amount < bounds.least) throw bounds.tooSmall()
  if (amount !== 'max' && amount > bounds.most && !mayJoin) throw bounds.tooLarge()
  const ofPart = (part: FundedPart): PartNote => {
    const own = precommitments[part.place]
    if (!own) throw new Error('a deposit was priced without its precommitment')
    return { ...own, gross: part.amount, net: noteValueOf(part.amount, vettingFeeBps) }
  }
  return {
    ...spending,
    amount,
    decimals,
    recipient: { address: pool.address, name: null, owned: false, poisoning: null },
    details: {
      net: net === 'max' ? null : String(net),
      precommitments: precommitments.map((one) => ({ ...one, precommitment: String(one.precommitment) })),
      mayJoin,
      vettingFeeBps: String(vettingFeeBps),
    } satisfies z.input<typeof depositDetails>,
    effects: PLAIN_EFFECTS,
    isVolatile: false,
    checkRun(run, parts) {
      for (const part of parts) {
        const expected = { pool: pool.address, depositor: part.address, ...ofPart(part) }
        if (!makesDeposit(run, expected)) throw simulationFailed('The pool would refuse this deposit')
      }
      const notes = parts.map((part) => ({ recipient: pool.address, amount: ofPart(part).net }))
      if (!hasArrived(run, spending.token, notes))
        throw simulationFailed('The pool would not receive the whole deposit')
    },
    outputOf(_, token, parts) {
      const worth = parts.reduce((sum, gross) => sum + noteValueOf(gross, vettingFeeBps), 0n)
      return { token, expected: worth, minimum: worth }
    },
    members: { poolAddress: pool.address },
    membersOf: (parts) => ({ deposits: parts.map((part) => showDeposit(part, ofPart(part))) }),
    caveatsOf: (parts) => listCaveats(parts.map(ofPart), net),
    async keep(transaction, quote, parts) {
      const rows = parts.map((part) => ({ ...ofPart(part), ...pickKept(part) }))
      try {
        await insertConversions(transaction, { ...quote, pool }, rows)
      } catch (error) {
        throw explainConflict(error, rows, deposit.nextIndex)
      }
    },
  }
}

/** The note of a part: its index and precommitment, and its amount before and after the vetting fee. */
interface PartNote extends Precommitment {
  gross: bigint
  net: bigint
}

const showDeposit = ({ address, serviceFee }: FundedPart, note: PartNote) => ({
  address,
  depositIndex: note.depositIndex,
  precommitment: String(note.precommitment),
  amount: String(note.net),
  grossAmount: String(note.gross),
  vettingFee: String(note.gross - note.net),
  depositFee: String(serviceFee),
})

function listCaveats(notes: readonly PartNote[], asked: bigint | 'max'): PlanCaveat[] {
  const isBeyond = notes.some(({ depositIndex }) => depositIndex > DEFAULT_SCAN)
  return [
    ...(isBeyond ? [{ kind: 'beyond_default_scan' } as const] : []),
    ...(areLinked(notes, asked) ? [{ kind: 'amounts_linked' } as const] : []),
  ]
}

/**
 * True if the values of notes show that they belong together: they add up to the requested amount, or two are equal.
 */
function areLinked(notes: readonly { net: bigint }[], asked: bigint | 'max'): boolean {
  if (notes.length < 2) return false
  const worths = notes.map(({ net }) => net)
  const sum = worths.reduce((total, worth) => total + worth, 0n)
  return (asked !== 'max' && sum >= asked) || new Set(worths).size < worths.length
}

const pickKept = ({ place, address, serviceFee }: FundedPart) => ({ place, address, depositFee: serviceFee })

/** Explains a conflict with a faster quote of the account. With several deposits it is unknown which one conflicts. */
function explainConflict(error: unknown, rows: readonly Precommitment[], nextIndex: number): unknown {
  const conflict = conversionConflict(error)
  const depositIndex = rows[0]?.depositIndex ?? 0
  if (conflict === 'precommitment') return refuseUsed(depositIndex)
  if (conflict !== 'index') return error
  return depositIndexTaken(`The index ${depositIndex} is in use`, {
    details: { depositIndex, nextDepositIndex: Math.max(nextIndex, depositIndex + 1) },
  })
}
