import { decodeFunctionResult, encodeFunctionData, maxUint256, type Address, type Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { RevertReason, SimulateJob, SimulateOutcome } from '../../../proving/simulate-job.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { MAX_TRANSACTION_GAS, withCallReserve, type IntentGas } from './batch-gas.ts'
import { encodeIntent } from './encode-intent.ts'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'
import type { Intent } from './intent.ts'
import { roundUpCoarsely } from './round-up-to.ts'
import { chainNotSupported } from '../../chain/errors.ts'

/**
 * Nobody's: its balance is overridden so that the Orchestrator lets a simulation end without reverting. It must be the
 * whole of 2^256 - 1, so nothing can be paid for gas and a quote is simulated at a gas price of 0: what it promises is
 * simulated again, with the real fees, before anything is sent.
 */
export const SIMULATOR: Address = '0x00000000000000000000000000000000DeaDBeef'
/** What an authorization costs at most (EIP-7702, PER_EMPTY_ACCOUNT_COST): nodes leave it out of a simulation. */
export const AUTHORIZATION_GAS = 25_000n
/** State moves between simulation and inclusion: a quarter more, as first-time writes of a recipient's balance may ask. */
const MARGIN_PERCENT = 25n
/** Binary digits of what is public of gas: four values between two powers of two. */
const GAS_DIGITS = 3

/** A gas limit that many intents share, at or above what is needed: the exact one would tell the moment of its run. */
export const sharedGasLimit = (gas: bigint): bigint => roundUpCoarsely(gas, GAS_DIGITS)

/**
 * A signature that a random key made of random bytes: for every digest it recovers to somebody, and to nobody whom we
 * know. One of zeros or ones is refused before anything is measured.
 */
export const NOBODYS_SIGNATURE: Hex =
  '0xb985306da3aa0fc0cadf01b28a43d4ac51b6daadb0bf143ede11cafa8e6a6dfb4cc2a94230b369272f319b2d1006e2c54e470ff681296dd0422d0fbca5eeeb021c'

/** An unsigned intent to run, with the delegation that its transaction would set. */
export interface IntentSimulation {
  intent: Intent
  /** What the account delegates to by the same transaction; null when it does already. */
  delegation: { contractAddress: Address; authorizationNonce: number } | null
  /** A combinedGas that was enough for an intent of this kind: if it is again, one run proves it. */
  likelyGas?: bigint | undefined
  /** Gas that it is given beside what it was seen to take, and the margin. */
  extraGas?: bigint | undefined
  /** It is given so much at least, within `mostGas`. */
  leastGas?: bigint | undefined
  /** Rounding does not exceed it; an intent that needs more gets what it needs. */
  mostGas?: bigint | undefined
  /** Who runs it, and what is watched: see SimulateJob; a node and nothing unless said. */
  asked?: Pick<SimulateJob, 'prefer' | 'watch'>
  /** Milliseconds for each run. */
  timeoutMs: number
}

type Success = Extract<SimulateOutcome, { success: true }>

/** How the run ended: with the gas that the intent needs, or with the reason of the revert. */
export type SimulatedIntent =
  | ({
      success: true
      outcome: Success
      /** What a transaction of its own pays for, after refunds. */
      paidGas: bigint
    } & IntentGas)
  | { success: false; revert: RevertReason }

/**
 * Runs an intent that nobody has signed yet and measures its gas; `combinedGas` of the intent is not looked at.
 *
 * The Orchestrator's simulateExecute takes any signature that recovers, so nobody's will do; the delegation is simulated
 * too. The first run has all the gas there is and gives what was used; combinedGas is that with a margin, rounded up. The
 * second run has just combinedGas: it proves that it is enough and gives the gas of the whole transaction. Where
 * `likelyGas` leaves the margin, one run says it all.
 * @throws ServiceError `bad-request` when the chain offers no sending; TaskError `unavailable` when no node answers.
 */
export async function simulateIntent(
  proving: Pick<ProvingPool, 'simulate'>,
  chain: Chain,
  { intent, delegation, likelyGas, extraGas = 0n, leastGas = 0n, mostGas, ...terms }: IntentSimulation,
): Promise<SimulatedIntent> {
  const { asked = {}, timeoutMs } = terms
  const { chainId, sending } = chain.config
  if (!sending) throw chainNotSupported(`Sending is not offered on chain ${chainId}`)

  const run = (combinedGas: bigint): Promise<SimulateOutcome> =>
    proving.simulate({
      rpcUrls: chain.nodes.urls(),
      block: chain.nextBlock() ?? undefined,
      call: {
        from: SIMULATOR,
        to: sending.orchestrator,
        data: encodeFunctionData({
          abi: orchestratorAbi,
          functionName: 'simulateExecute',
          args: [true, 0n, encodeIntent({ ...intent, combinedGas, signature: NOBODYS_SIGNATURE })],
        }),
        value: 0n,
        gas: MAX_TRANSACTION_GAS,
      },
      errorAbi: intentErrorAbi,
      timeoutMs,
      ...asked,
      stateOverrides: { [SIMULATOR]: { balance: maxUint256 } },
      authorizations: delegation
        ? [
            {
              authority: intent.eoa,
              address: delegation.contractAddress,
              chainId,
              nonce: BigInt(delegation.authorizationNonce),
            },
          ]
        : [],
    })

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

function toSimulated(outcome: Success, combinedGas: bigint, delegates: boolean): SimulatedIntent {
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

/** A refund (at most a fifth, EIP-3529) is given at the end: until then the transaction needs the gas. */
function gasBeforeRefunds({ provider, gasUsed }: Success, delegates: boolean): bigint {
  if (provider === 'evm') return (gasUsed * 5n) / 4n
  return (gasUsed * 5n) / 4n + (delegates ? AUTHORIZATION_GAS : 0n)
}
