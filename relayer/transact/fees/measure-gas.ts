import { isAddressEqual, type Address } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import {
  type Call,
  buildIntent,
  createIntentNonce,
  createStandIn,
  encodeTransfer,
} from '../intents/intent.ts'
import { intentBytes, AUTHORIZATION_GAS, simulateIntent } from '../intents/simulate-intent.ts'
import { readDelegationState } from '../intents/delegation.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { refuseTransfer } from '../intents/describe-revert.ts'

/** Gas of spending from one address to a recipient that never held the token. */
export interface SpendingGas {
  /** For an address that does not delegate yet. */
  first: TransactionSize
  later: TransactionSize
  /** The measured combinedGas with some room; a quote's first guess. */
  combinedGas: bigint
}

/** Gas for differences in calldata and storage between intents of one kind. */
const ROOM = 10_000n

type Calls = (part: {
  payer: Address
  recipient: Address
  amount: bigint
  place: number
  count: number
}) => readonly Call[] | Promise<readonly Call[]>

/** The inputs that determine gas: the token that pays the fee, and the calls before the payment. */
export interface MeasuredCalls {
  token: Address
  /** Calls of the same key take the same gas. */
  gasKey: string
  calls: Calls
  /** Run in place of `calls` where an amount of one unit will not do. */
  trial?: { amount: bigint; calls: Calls }
  /** Gas added to each intent. */
  extraGas?: bigint
  /** Least gas of each intent. */
  leastGas?: bigint
}

/** Most keys in the cache. */
const MAX_KNOWN = 2_000

/** Measures the gas of calls by running an intent with them, and caches the result for `gasMeasureMs`. */
export class GasMeasures {
  readonly #proving: ProvingPool
  readonly #config: { gasMeasureMs: number; simulateTimeoutMs: number }
  readonly #known = new SharedPlaces<string, { gas: Promise<SpendingGas>; until: number }>(MAX_KNOWN)

  constructor(proving: ProvingPool, config: { gasMeasureMs: number; simulateTimeoutMs: number }) {
    this.#proving = proving
    this.#config = config
  }

  /** Returns the last measurement of such calls, however old; null without one. */
  async find({ chainId }: SendingChain, { gasKey }: MeasuredCalls): Promise<SpendingGas | null> {
    return (await this.#known.get(`${chainId} ${gasKey}`)?.gas.catch(() => null)) ?? null
  }

  /**
   * @param from An address with at least two units of the token.
   * @param inTurn Schedules the query to the node about that address, if one is needed.
   * @throws ServiceError `bad-request` SIMULATION_FAILED when the calls fail.
   */
  measure(
    sending: SendingChain,
    measured: MeasuredCalls,
    from: Address,
    inTurn: (ask: () => Promise<SpendingGas>) => Promise<SpendingGas>,
  ): Promise<SpendingGas> {
    const { gasMeasureMs, simulateTimeoutMs } = this.#config
    const key = `${sending.chainId} ${measured.gasKey}`
    const last = this.#known.get(key)
    if (last && last.until > Date.now()) return last.gas
    const gas = inTurn(() => measureOnce(this.#proving, simulateTimeoutMs, sending, { measured, from }))
    this.#known.set(key, { gas, until: Date.now() + gasMeasureMs })
    // Failed measurements are not cached.
    gas.catch(() => this.#known.get(key)?.gas === gas && this.#known.delete(key))
    return gas
  }
}

/** Runs an intent with the calls, which pays one unit as its fee. */
async function measureOnce(
  proving: ProvingPool,
  timeoutMs: number,
  sending: SendingChain,
  { measured, from }: { measured: MeasuredCalls; from: Address },
): Promise<SpendingGas> {
  const { chain, contracts, feeReceiver } = sending
  const { calls, amount } = measured.trial ?? { calls: measured.calls, amount: 1n }
  const stranger = createStandIn()
  const [{ authorizationNonce, delegatesTo }, actions] = await Promise.all([
    readDelegationState(chain.client, from),
    calls({ payer: from, recipient: stranger, amount, place: 0, count: 1 }),
  ])
  const delegates = delegatesTo !== null && isAddressEqual(delegatesTo, contracts.accountProxy)
  const intent = buildIntent({
    eoa: from,
    calls: [...actions, encodeTransfer(measured.token, feeReceiver, 1n)],
    intentNonce: createIntentNonce(),
    combinedGas: 0n,
    expiry: 0n,
    accountImplementation: contracts.accountImplementation,
  })
  const delegation = delegates ? null : { contractAddress: contracts.accountProxy, authorizationNonce }
  const simulated = await simulateIntent(proving, chain, {
    intent,
    delegation,
    extraGas: (measured.extraGas ?? 0n) + ROOM,
    leastGas: measured.leastGas,
    timeoutMs,
  })
  if (!simulated.success) throw refuseTransfer(simulated.revert)
  const { paidGas, combinedGas } = simulated
  const first = delegates ? paidGas + AUTHORIZATION_GAS : paidGas
  return {
    first: { gas: first, bytes: intentBytes(intent, true) },
    later: { gas: first - AUTHORIZATION_GAS, bytes: intentBytes(intent, false) },
    combinedGas,
  }
}
