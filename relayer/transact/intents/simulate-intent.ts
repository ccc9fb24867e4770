import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import { type Intent, encodeBatch, encodeIntent } from './intent.ts'
import { decodeFunctionResult, encodeFunctionData, maxUint256, type Address, type Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { RevertReason, SimulateJob, SimulateOutcome } from '../../../proving/simulate-job.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { MAX_TRANSACTION_GAS, withCallReserve, type SendingGas, roundUpCoarsely } from './batch-gas.ts'
import { authorizationsOf, type ChosenDelegation } from './delegation.ts'
import { describeRevert } from './describe-revert.ts'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'
import { chainNotSupported } from '../../chain/errors.ts'

/**
 * An address without an owner. Its balance is overridden so that the Orchestrator lets a simulation end without a
 * revert. That balance must be the whole of 2^256 - 1, so nothing can be paid for gas. Quotes are therefore simulated
 * at a gas price of 0. The submission simulates the quote again, with the real fees, before anything is sent.
 */
export const SIMULATOR: Address = '0x00000000000000000000000000000000DeaDBeef'
/** Highest cost of an authorization (EIP-7702, PER_EMPTY_ACCOUNT_COST): nodes omit it from a simulation. */
export const AUTHORIZATION_GAS = 25_000n
/** State moves between simulation and inclusion: a first write of a recipient's balance may take a quarter more. */
const MARGIN_PERCENT = 25n
/** Binary digits of a public gas value: four values between two powers of two. */
const GAS_DIGITS = 3

/** Returns a gas limit that many intents share, at or above `gas`: the exact one would reveal the moment of its run. */
export const sharedGasLimit = (gas: bigint): bigint => roundUpCoarsely(gas, GAS_DIGITS)

/**
 * A signature by a random key over random bytes: for every digest it recovers to an unknown address. The Orchestrator
 * would refuse one of zeros or ones before any gas is measured.
 */
export const NOBODYS_SIGNATURE: Hex =
  '0xb985306da3aa0fc0cadf01b28a43d4ac51b6daadb0bf143ede11cafa8e6a6dfb4cc2a94230b369272f319b2d1006e2c54e470ff681296dd0422d0fbca5eeeb021c'

/** An unsigned intent to run, with the delegation that its transaction would set. */
export interface SimulatedAsk {
  intent: Intent
  /** The delegation that the same transaction sets; null if the account delegates already. */
  delegation: ChosenDelegation | null
  /** A combinedGas that was enough for an intent of this kind: if it is again, one run proves it. */
  likelyGas?: bigint | undefined
  /** Gas on top of the measured gas and its margin. */
  extraGas?: bigint | undefined
  /** Least combinedGas, within `mostGas`. */
  leastGas?: bigint | undefined
  /** Limit for rounding; an intent that needs more gets what it needs. */
  mostGas?: bigint | undefined
  /** Simulator and watched balances, see {@link SimulateJob}; by default a node, and none. */
  asked?: Pick<SimulateJob, 'prefer' | 'watch'>
  /** Milliseconds for each run. */
  timeoutMs: number
}

type Success = Extract<SimulateOutcome, { success: true }>

/** Result of the run: the gas that the intent needs, or the reason of the revert. */
export type MeasuredRun =
  | ({
      success: true
      outcome: Success
      /** Gas that a transaction with this intent alone pays for, after refunds. */
      paidGas: bigint
    } & SendingGas)
  | { success: false; revert: RevertReason }

/**
 * Runs an unsigned intent and measures its gas; its `combinedGas` is ignored.
 *
 * The Orchestrator's simulateExecute accepts any signature that recovers. The delegation is simulated too. The first
 * run has a free gas limit and returns the gas used; combinedGas is that with a margin, rounded up. The second run has
 * exactly combinedGas: it proves that it is enough, and returns the gas of the whole transaction. If `likelyGas` leaves
 * the margin, one run is enough.
 * @throws ServiceError `bad-request` when the chain offers no sending; TaskError `unavailable` when no node answers.
 */
export async function simulateIntent(
  proving: ProvingPool,
  chain: Chain,
  { intent, delegation, likelyGas, extraGas = 0n, leastGas = 0n, mostGas, ...terms }: SimulatedAsk,
): Promise<MeasuredRun> {
  const { asked = {}, timeoutMs } = terms
  const run = (combinedGas: bigint): Promise<SimulateOutcome> => {
    const encoded = encodeIntent({ ...intent, combinedGas, signature: NOBODYS_SIGNATURE })
    const block = chain.nextBlock() ?? undefined
    return simulateExecute(
      proving,
      chain,
      { eoa: intent.eoa, encoded, delegation },
      { timeoutMs, block, ...asked },
    )
  }
  if (likelyGas !== undefined) {
    const likely = await run(likelyGas)
    if (likely.success && withMargin(withCallReserve(readGasUsed(likely))) + extraGas <= likelyGas)
      return toSimulated(likely, likelyGas, delegation !== null)
  }
  const free = await run((MAX_TRANSACTION_GAS * 3n) / 4n)
  if (!free.success) return { success: false, revert: free.revert }
  const taken = withMargin(withCallReserve(readGasUsed(free))) + extraGas
  const least = mostGas !== undefined && mostGas < leastGas ? mostGas : leastGas
  const needed = taken > least ? taken : least
  const combinedGas = capRounding(sharedGasLimit(needed), needed, mostGas)
  const bound = await run(combinedGas)
  if (!bound.success) return { success: false, revert: bound.revert }
  return toSimulated(bound, combinedGas, delegation !== null)
}

/** Runs an encoded intent by the Orchestrator's simulateExecute, with the delegation that its transaction would set. */
async function simulateExecute(
  proving: ProvingPool,
  { config: { chainId, sending }, nodes }: Chain,
  { eoa, encoded, delegation }: { eoa: Address; encoded: Hex; delegation: ChosenDelegation | null },
  terms: Pick<SimulateJob, 'timeoutMs' | 'block' | 'prefer' | 'watch'>,
): Promise<SimulateOutcome> {
  if (!sending) throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
  return proving.simulate({
    rpcUrls: nodes.urls(),
    call: {
      from: SIMULATOR,
      to: sending.orchestrator,
      data: encodeFunctionData({
        abi: orchestratorAbi,
        functionName: 'simulateExecute',
        args: [true, 0n, encoded],
      }),
      value: 0n,
      gas: MAX_TRANSACTION_GAS,
    },
    errorAbi: intentErrorAbi,
    stateOverrides: { [SIMULATOR]: { balance: maxUint256 } },
    authorizations: authorizationsOf(chainId, eoa, delegation),
    ...terms,
  })
}

/**
 * Explains why an intent would fail now. The Orchestrator's events and answers have four bytes of an error; its
 * simulateExecute reverts with the whole error. Use it for failed intents only, because it costs the node one more
 * query.
 *
 * @returns Null if the intent would succeed, or if no reason is available.
 */
export async function explainIntentFailure(
  { proving, config }: { proving: ProvingPool; config: { simulateTimeoutMs: number } },
  chain: Chain,
  intent: { eoa: Address; encoded: Hex; delegation: ChosenDelegation | null },
): Promise<string | null> {
  const terms = { timeoutMs: config.simulateTimeoutMs, prefer: 'node' } as const
  // The failure counts even if it cannot be explained.
  const outcome = await simulateExecute(proving, chain, intent, terms).catch(() => null)
  return outcome && !outcome.success ? describeRevert(outcome.revert) : null
}

function toSimulated(outcome: Success, combinedGas: bigint, delegates: boolean): MeasuredRun {
  const paidGas = outcome.gasUsed + (delegates && outcome.provider !== 'evm' ? AUTHORIZATION_GAS : 0n)
  const transactionGas = gasBeforeRefunds(outcome, delegates)
  return { success: true, outcome, paidGas, combinedGas, transactionGas }
}

function capRounding(rounded: bigint, needed: bigint, most = rounded): bigint {
  if (rounded <= most) return rounded
  return needed > most ? needed : most
}

const withMargin = (gas: bigint) => gas + (gas * MARGIN_PERCENT) / 100n

/** Gas of verification, payment and calls together, as the Orchestrator counted it. */
function readGasUsed({ returnData }: Success): bigint {
  return decodeFunctionResult({ abi: orchestratorAbi, functionName: 'simulateExecute', data: returnData })
}

/** A refund (at most a fifth, EIP-3529) comes at the end: until then the transaction needs the gas. */
function gasBeforeRefunds({ provider, gasUsed }: Success, delegates: boolean): bigint {
  if (provider === 'evm') return (gasUsed * 5n) / 4n
  return (gasUsed * 5n) / 4n + (delegates ? AUTHORIZATION_GAS : 0n)
}

/**
 * Returns the bytes of a transaction that executes one intent alone, without the sender's signature. The
 * intent counts as signed, with signatures of 65 bytes.
 */
export const intentBytes = (intent: Intent, withDelegation: boolean): number =>
  bytesOf({
    data: encodeBatch([encodeIntent({ ...intent, signature: NOBODYS_SIGNATURE })]),
    authorizations: withDelegation ? [{}] : [],
  })
