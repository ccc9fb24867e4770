import { isAddressEqual, parseEventLogs, toFunctionSelector, type Address, type Hex, type Log } from 'viem'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'

/** Effect of a transaction on one intent, according to the Orchestrator's event. */
export interface IntentOutcome {
  eoa: Address
  intentNonce: bigint
  /**
   * - `succeeded`: verified and all calls made (`incremented && err == 0`, nothing less).
   * - `burnt`: its nonce is used up, a payment was kept, and the calls did nothing.
   * - `untouched`: nothing happened. Anybody may still execute it, unless its nonce was used before.
   *
   * The error only explains. A run with too little combinedGas may name any error, InvalidNonce included, or none.
   */
  state: 'succeeded' | 'burnt' | 'untouched'
  /** Name of the error, or its selector if it is unknown; null without an error. */
  error: string | null
}

const NO_ERROR: Hex = '0x00000000'
const NAME_OF_SELECTOR = new Map<Hex, string>([
  // Solidity's own errors. The event has only the selector, without the text or the code.
  ['0x08c379a0', 'Error(string)'],
  ['0x4e487b71', 'Panic(uint256)'],
  ...intentErrorAbi.map((error): [Hex, string] => [
    toFunctionSelector({ ...error, type: 'function', outputs: [], stateMutability: 'view' }),
    error.name,
  ]),
])

/** Returns the name of a selector's error, the selector itself if it is unknown, or null for no error. */
export function nameIntentError(selector: Hex): string | null {
  if (selector === NO_ERROR) return null
  return NAME_OF_SELECTOR.get(selector) ?? selector
}

/**
 * Reads the outcomes from a receipt's logs, in order. Events of the same form from other contracts do not
 * count.
 */
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

/**
 * Finds the outcome of one intent of a transaction. Without an event it is untouched: the transaction
 * reverted.
 */
export function findOutcome(
  outcomes: readonly IntentOutcome[],
  { eoa, intentNonce }: { eoa: Address; intentNonce: bigint },
): IntentOutcome {
  const found = outcomes.find(
    (outcome) => outcome.intentNonce === intentNonce && outcome.eoa.toLowerCase() === eoa.toLowerCase(),
  )
  return found ?? { eoa, intentNonce, state: 'untouched', error: null }
}
