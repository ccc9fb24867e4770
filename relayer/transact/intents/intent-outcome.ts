import { isAddressEqual, parseEventLogs, toFunctionSelector, type Address, type Hex, type Log } from 'viem'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'

/**
 * What became of an intent in a mined transaction:
 * - `succeeded`: verified and all calls made (`incremented && err == 0`, nothing less).
 * - `burnt`: its nonce is used up, a payment was kept, and the calls did nothing.
 * - `untouched`: nothing happened; it may still be executed, by anybody, unless its nonce was used before.
 *
 * The error explains, it decides nothing: a run with too little combinedGas may name any, InvalidNonce too, or none.
 */
export type IntentState = 'succeeded' | 'burnt' | 'untouched'

/** What a transaction did to one intent, by the Orchestrator's event. */
export interface IntentOutcome {
  eoa: Address
  intentNonce: bigint
  state: IntentState
  /** Name of the error, or its selector where it is not known; null where there was none. */
  error: string | null
}

const NO_ERROR: Hex = '0x00000000'
const NAME_OF_SELECTOR = new Map<Hex, string>([
  // Solidity's own. The event has no more than the selector: neither the words nor the code.
  ['0x08c379a0', 'Error(string)'],
  ['0x4e487b71', 'Panic(uint256)'],
  ...intentErrorAbi.map((error): [Hex, string] => [
    toFunctionSelector({ ...error, type: 'function', outputs: [], stateMutability: 'view' }),
    error.name,
  ]),
])

/** The error that a selector stands for, the selector itself where it is not known, null for none. */
export function nameIntentError(selector: Hex): string | null {
  if (selector === NO_ERROR) return null
  return NAME_OF_SELECTOR.get(selector) ?? selector
}

/** Reads the outcomes from a receipt's logs, in order; other contracts' events of the same form do not count. */
export function readOutcomes(
  logs: readonly Pick<Log, 'address' | 'topics' | 'data'>[],
  orchestrators: Address | readonly Address[],
): IntentOutcome[] {
  const ours = logs.filter(({ address }) =>
    [orchestrators].flat().some((one) => isAddressEqual(one, address)),
  )
  return parseEventLogs({ abi: orchestratorAbi, eventName: 'IntentExecuted', logs: ours as Log[] }).map(
    ({ args: { eoa, nonce, incremented, err } }) => ({
      eoa,
      intentNonce: nonce,
      state: !incremented ? 'untouched' : err === NO_ERROR ? 'succeeded' : 'burnt',
      error: nameIntentError(err),
    }),
  )
}

/** What became of one intent of a transaction; without an event of its own it is untouched (the transaction reverted). */
export function findOutcome(
  outcomes: readonly IntentOutcome[],
  { eoa, intentNonce }: { eoa: Address; intentNonce: bigint },
): IntentOutcome {
  const found = outcomes.find(
    (outcome) => outcome.intentNonce === intentNonce && outcome.eoa.toLowerCase() === eoa.toLowerCase(),
  )
  return found ?? { eoa, intentNonce, state: 'untouched', error: null }
}
