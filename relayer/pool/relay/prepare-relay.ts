import type { Hex } from 'viem'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { CheckedRequest } from './check-request.ts'
import { demandGas } from '../../chain/broadcast/demand-gas.ts'
import { encodeRelay, encodeRelayWithTopUp } from './encode-relay.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import type { RelayerParts } from './relay-withdrawal.ts'
import { TOP_UP_GAS, paidRelayGas } from './relay-gas.ts'
import { simulateRelay, type SimulatedCall } from './simulate-relay.ts'
import type { RelayRequest } from './withdrawals.ts'
import { serverBusy } from '../../errors.ts'
import { RefusedError } from './define-refusal.ts'
import { callWouldRevert } from './refusals.ts'
import type { NativePrice } from '../../market/prices/price-native.ts'

async function topUpOf(parts: RelayerParts, request: RelayRequest, checked: CheckedRequest): Promise<bigint> {
  const { relayerChain, pool, relayData, withdrawn } = checked
  const sendingPrice = relayerChain.gasPrices.sendingPrice()
  const isOffered = relayerChain.chain.config.relayer.multicall && pool.asset.asset !== NATIVE_ASSET
  if (!request.feeCommitment.extraGas || !isOffered || sendingPrice === null) return 0n
  const paid = paidRelayGas(sendingPrice, { relay: parts.relayGas.quoted(pool), topUp: TOP_UP_GAS })
  return planTopUp({
    gasPrice: sendingPrice.gasPrice,
    relayGas: paid.relay,
    topUpGas: paid.topUp,
    fundGas: BigInt(parts.config.extraGasFundUnits),
    withdrawn,
    relayFeeBps: relayData.relayFeeBps,
    baseFeeBps: BigInt(pool.asset.baseFeeBPS),
    price: await orPoolsRefreshing(pool.chainId, relayerChain.priceOf(pool.asset)),
  })
}

/** Facts about a request beyond its content. */
export interface RelayFacts {
  /** True if the recipient runs code when it is paid; read in parallel with the simulation. */
  toContract: Promise<boolean>
  /** The service's transactions that may be mined before it: non-final ones, and those about to be accepted. */
  underWay: number
}

/** A call that succeeded in a simulation. */
export interface PreparedRelay {
  call: SimulatedCall
  /** Gas that the fee pays for. */
  paidGas: bigint
  /** Gas that it used in its simulation. */
  gasUsed: bigint
}

/**
 * Builds the transaction of a request, assuming a valid proof, simulated as the signer will send it. With extraGas it
 * is one multicall of relay and top-up. If that multicall would fail, the plain relay is sent instead, so that a
 * failed top-up never costs the withdrawal.
 */
export async function prepareRelay(
  parts: RelayerParts,
  request: RelayRequest,
  checked: CheckedRequest,
  facts: RelayFacts,
): Promise<PreparedRelay> {
  const { relayerChain } = checked
  const { chainId, relayer } = relayerChain.chain.config
  const { entrypoint, multicall } = relayer
  demandGas(parts.broadcast, chainId, 'relays')
  const from = parts.broadcast.simulationSender(chainId, 'relays')
  if (!from) throw serverBusy(`No signer of chain ${chainId} can send at the moment`)

  const relay = encodeRelay(request)
  const value = await topUpOf(parts, request, checked)
  if (value > 0n && multicall) {
    const topUp = { recipient: checked.relayData.recipient, value }
    const encode = (mayFail: boolean) => encodeRelayWithTopUp(entrypoint, relay, topUp, mayFail)
    try {
      // Simulated strictly to detect a recipient that rejects native coin: the value would stay in the multicall.
      const draft = { from, to: multicall, data: encode(true), value, strict: encode(false) }
      return await sizeCall(parts, checked, { ...draft, extraGas: TOP_UP_GAS }, facts)
    } catch (error) {
      // The multicall hides the reason; the plain relay either succeeds or shows it.
      if (!(error instanceof RefusedError)) throw error
    }
  }
  const draft = { from, to: entrypoint, data: relay, value: 0n, strict: relay, extraGas: 0n }
  return sizeCall(parts, checked, draft, facts)
}

interface Draft extends Omit<SimulatedCall, 'gas'> {
  /** The call that is simulated first: the same, but no part of it may fail. */
  strict: Hex
  /** Gas on top of the relay's. */
  extraGas: bigint
}

/**
 * Simulates a call. Its gas limit is the used gas plus a relay's possible growth; no more, because a recipient could
 * burn all of it. Code may depend on the remaining gas, so for a contract the call is simulated once more with its
 * limit. A call that uses more than the fee pays for is refused.
 */
async function sizeCall(
  parts: RelayerParts,
  { pool, relayerChain: { chain } }: CheckedRequest,
  { strict, extraGas, ...draft }: Draft,
  { toContract, underWay }: RelayFacts,
): Promise<PreparedRelay> {
  const { relayGas } = parts
  const paidGas = relayGas.quoted(pool) + extraGas
  const simulate = (call: SimulatedCall) => simulateRelay(parts, chain, call, parts.config.simulateTimeoutMs)
  const atMost = relayGas.limit(pool) + extraGas
  const { gasUsed } = await simulate({ ...draft, data: strict, gas: atMost }).catch(
    async (error: unknown) => {
      throw (await toContract) ? explainLimit(error, atMost, paidGas) : error
    },
  )
  const call = { ...draft, gas: relayGas.limitFor(pool, gasUsed - extraGas, underWay) + extraGas }
  if (!(await toContract)) return { call, paidGas, gasUsed }
  demandPaid(gasUsed, paidGas)
  demandPaid((await simulate(call)).gasUsed, paidGas)
  return { call, paidGas, gasUsed }
}

/** A contract's failure may be caused only by too little gas. */
function explainLimit(error: unknown, gas: bigint, paidGas: bigint): unknown {
  if (!(error instanceof RefusedError && error.refusal === callWouldRevert)) return error
  return callWouldRevert(
    `${error.detail ?? 'it failed'} paying a contract, with ${gas} gas; the fee pays for ${paidGas}`,
  )
}

function demandPaid(gasUsed: bigint, paidGas: bigint): void {
  if (gasUsed > paidGas)
    throw callWouldRevert(
      `it used ${gasUsed} gas to pay a contract, the fee pays for ${paidGas}; a newer state root takes less`,
    )
}

/** The inputs for the native coin that extraGas gives: prices in wei per gas, `withdrawn` in the asset's smallest unit. */
interface TopUpInput {
  gasPrice: bigint
  relayGas: bigint
  topUpGas: bigint
  /** Gas units whose price the recipient gets. */
  fundGas: bigint
  withdrawn: bigint
  relayFeeBps: bigint
  baseFeeBps: bigint
  price: NativePrice
}

/**
 * Returns the wei that extraGas gives to the recipient: the present price of `fundGas`. It is capped by the fee minus
 * the base fee and the transaction's own gas; never below zero.
 */
export function planTopUp(input: TopUpInput): bigint {
  const paidForGas = (input.withdrawn * (input.relayFeeBps - input.baseFeeBps)) / 10_000n
  const covered = input.price.toWei(paidForGas) - (input.relayGas + input.topUpGas) * input.gasPrice
  const wanted = input.fundGas * input.gasPrice
  const value = wanted < covered ? wanted : covered
  return value > 0n ? value : 0n
}
