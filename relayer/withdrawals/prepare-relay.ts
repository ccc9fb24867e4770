import { NATIVE_ASSET } from '../chains/config.ts'
import { ServiceError } from '../service-error.ts'
import type { CheckedRequest } from './check-request.ts'
import { encodeRelay, encodeRelayWithTopUp } from './encode-relay.ts'
import { orUnavailable } from './node-silence.ts'
import { planTopUp } from './plan-top-up.ts'
import type { QuoteParts } from './quote-relay.ts'
import { RefusedError } from './refusals.ts'
import { TOP_UP_GAS } from './relay-gas.ts'
import { simulateRelay, type SimulatedCall } from './simulate-relay.ts'
import type { RelayRequest } from './withdrawals.ts'

async function topUpOf(parts: QuoteParts, request: RelayRequest, checked: CheckedRequest): Promise<bigint> {
  const { relayerChain, pool, relayData, withdrawn } = checked
  const gasPrice = relayerChain.gasPrices.gasPrice()
  const isOffered = relayerChain.chain.config.multicall && pool.asset.asset !== NATIVE_ASSET
  if (!request.feeCommitment.extraGas || !isOffered || gasPrice === null) return 0n
  return planTopUp({
    gasPrice,
    relayGas: parts.relayGas.quoted(pool),
    topUpGas: TOP_UP_GAS,
    fundGas: BigInt(parts.config.extraGasFundUnits),
    withdrawn,
    relayFeeBps: relayData.relayFeeBps,
    baseFeeBps: BigInt(pool.asset.baseFeeBPS),
    price: await orUnavailable(pool.chainId, relayerChain.priceOf(pool.asset)),
  })
}

/** A call that went through in a simulation. */
export interface PreparedRelay {
  call: SimulatedCall
  /** What the plain relay used; null with a top-up beside it. */
  gasUsed: bigint | null
}

/**
 * The transaction that a verified request becomes, simulated as the sender will send it. With extraGas it is one
 * multicall of relay and top-up; where that multicall would not go through, the plain relay is sent instead, so that
 * a failed top-up never costs the withdrawal.
 */
export async function prepareRelay(
  parts: QuoteParts,
  request: RelayRequest,
  checked: CheckedRequest,
): Promise<PreparedRelay> {
  const { relayerChain, pool } = checked
  const { chain } = relayerChain
  const { entrypoint, multicall, chainId } = chain.config
  const from = parts.broadcast.simulationSender(chainId)
  if (!from)
    throw new ServiceError('unavailable', `No signer of chain ${chainId} can send at the moment`, {
      code: 'SERVER_BUSY',
    })

  const relay = encodeRelay(request)
  const gas = parts.relayGas.limit(pool)
  const simulate = (call: SimulatedCall) => simulateRelay(parts, chain, call, parts.config.simulateTimeoutMs)

  const value = await topUpOf(parts, request, checked)
  if (value > 0n && multicall) {
    const topUp = { recipient: checked.relayData.recipient, value }
    const encode = (mayFail: boolean) => encodeRelayWithTopUp(entrypoint, relay, topUp, mayFail)
    const call = { from, to: multicall, data: encode(true), value, gas: gas + TOP_UP_GAS }
    try {
      // Simulated so that a recipient who takes no native coin shows: its value would stay in the multicall.
      await simulate({ ...call, data: encode(false) })
      return { call, gasUsed: null }
    } catch (error) {
      // The multicall hides why; the plain relay either goes through or says it.
      if (!(error instanceof RefusedError)) throw error
    }
  }
  const call = { from, to: entrypoint, data: relay, value: 0n, gas }
  const { gasUsed } = await simulate(call)
  return { call, gasUsed }
}
