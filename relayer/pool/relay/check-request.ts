import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { FIELD_ORDER, parseFieldElement } from '../../../proving/field-element.ts'
import { computeContext, decodeRelayData, type RelayData } from '../state/formulas.ts'
import type { Pool } from '../state/pool-state.ts'
import { stalePools } from './find-pool.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import type { RelayerChain, RelayerChains } from './relayer-chain.ts'
import type { RelayRequest } from './withdrawals.ts'
import { messageOf } from './relay-fee.ts'
import {
  assetRefused,
  chainRefused,
  commitmentExpired,
  commitmentRejected,
  contextMismatch,
  feeReceiverMismatch,
  feeTooLow,
  gasPriceRefused,
  incorrectAspRoot,
  insufficientWithdrawnValue,
  invalidProof,
  nullifierAlreadySpent,
  processooorMismatch,
  relayFeeAboveMax,
  unknownScope,
  unknownStateRoot,
} from './refusals.ts'

const SIGNALS = 8

/** A request that has passed all checks without a round trip; its proof is not verified yet. */
export interface CheckedRequest {
  relayerChain: RelayerChain
  pool: Pool
  relayData: RelayData
  nullifierHash: bigint
  context: bigint
  withdrawn: bigint
  stateRoot: bigint
  aspRoot: bigint
}

interface Signals {
  nullifierHash: bigint
  withdrawn: bigint
  stateRoot: bigint
  aspRoot: bigint
  context: bigint
}

function readSignals(publicSignals: readonly string[]): Signals {
  const values = publicSignals.map((text) => {
    const element = parseFieldElement(text)
    if (element === null) throw invalidProof('a public signal is not a canonical field element')
    return BigInt(element)
  })
  const [, nullifierHash, withdrawn, stateRoot, , aspRoot, , context] = values
  if (
    values.length !== SIGNALS ||
    nullifierHash === undefined ||
    withdrawn === undefined ||
    stateRoot === undefined ||
    aspRoot === undefined ||
    context === undefined
  )
    throw invalidProof(`${SIGNALS} public signals are needed`)
  return { nullifierHash, withdrawn, stateRoot, aspRoot, context }
}

function findScopedPool(
  chains: RelayerChains,
  request: RelayRequest,
): { relayerChain: RelayerChain; pool: Pool } {
  const relayerChain = chains.get(request.chainId)
  if (!relayerChain) throw chainRefused(`served: ${[...chains.keys()].join(', ')}`)
  if (!relayerChain.pools.isFresh()) throw stalePools(request.chainId)
  const scope = BigInt(request.scope)
  const pool = scope < FIELD_ORDER ? relayerChain.pools.byScope(scope) : undefined
  if (!pool) throw relayerChain.pools.isIncomplete() ? stalePools(request.chainId) : unknownScope()
  return { relayerChain, pool }
}

async function checkCommitment(
  proving: ProvingPool,
  { relayerChain, pool }: { relayerChain: RelayerChain; pool: Pool },
  request: RelayRequest,
): Promise<void> {
  const { feeCommitment, withdrawal, chainId } = request
  const signature = feeCommitment.signedRelayerCommitment
  const message = messageOf(chainId, feeCommitment)
  if ((await proving.findOwnSigner({ message, signature })) !== relayerChain.commitmentSigner)
    throw commitmentRejected('not a signature of this relayer over these terms')
  if (feeCommitment.withdrawalData.toLowerCase() !== withdrawal.data.toLowerCase())
    throw commitmentRejected('withdrawalData differs from withdrawal.data')
  if (feeCommitment.asset !== pool.asset.asset) throw assetRefused()
}

function checkRelayData(request: RelayRequest, relayerChain: RelayerChain): RelayData {
  const relayData = decodeRelayData(request.withdrawal.data)
  if (!relayData) throw commitmentRejected('withdrawal.data is not relay data')
  if (relayData.feeRecipient !== relayerChain.feeReceiver) throw feeReceiverMismatch()
  return relayData
}

/**
 * Time-independent checks without a node: chain, scope, fee commitment, processooor, fee receiver, context and
 * amounts, in that order. Throws RefusedError with the first that fails, or ServiceError POOL_STATE_REFRESHING while
 * the pools are unknown.
 */
export async function checkRequest(
  chains: RelayerChains,
  proving: ProvingPool,
  request: RelayRequest,
): Promise<CheckedRequest> {
  const found = findScopedPool(chains, request)
  const { relayerChain, pool } = found
  await checkCommitment(proving, found, request)
  if (request.withdrawal.processooor !== relayerChain.chain.config.relayer.entrypoint)
    throw processooorMismatch(`expected ${relayerChain.chain.config.relayer.entrypoint}`)
  const relayData = checkRelayData(request, relayerChain)
  const signals = readSignals(request.publicSignals)
  if (signals.context !== computeContext(request.withdrawal, pool.scope)) throw contextMismatch()
  const least =
    request.feeCommitment.amount > pool.asset.minWithdrawAmount
      ? request.feeCommitment.amount
      : pool.asset.minWithdrawAmount
  if (signals.withdrawn < least) throw insufficientWithdrawnValue(`${signals.withdrawn} of at least ${least}`)
  return { relayerChain, pool, relayData, ...signals }
}

/**
 * Time-dependent checks; skipped for requests already accepted. They cover the commitment's expiry, the base fee, the
 * pool's maximum and the gas price. Throws RefusedError.
 */
export function checkTerms(request: RelayRequest, checked: CheckedRequest, now = Date.now()): void {
  const { relayerChain, pool, relayData } = checked
  const { expiration } = request.feeCommitment
  if (expiration < now) throw commitmentExpired(`at ${new Date(expiration).toISOString()}`)
  if (relayData.relayFeeBps < BigInt(pool.asset.baseFeeBPS))
    throw feeTooLow(`${relayData.relayFeeBps} basis points, the base fee is ${pool.asset.baseFeeBPS}`)
  if (relayData.relayFeeBps > pool.maxRelayFeeBps)
    throw relayFeeAboveMax(`${relayData.relayFeeBps} basis points of at most ${pool.maxRelayFeeBps}`)
  const { maxGasPrice } = relayerChain.chain.config.relayer
  const gasPrice = relayerChain.gasPrices.gasPrice()
  if (gasPrice === null) throw stalePools(request.chainId)
  if (gasPrice > maxGasPrice) throw gasPriceRefused(`${gasPrice} wei of at most ${maxGasPrice}`)
}

/** Checks the request against the pool's roots and spent notes: at most one round trip while the roots are cached. */
export async function checkPoolState({ relayerChain, pool, ...checked }: CheckedRequest): Promise<void> {
  const { pools } = relayerChain
  const [knowsStateRoot, isLatestAspRoot, isSpent] = await orPoolsRefreshing(
    pool.chainId,
    Promise.all([
      pools.knowsStateRoot(pool, checked.stateRoot),
      pools.isLatestAspRoot(checked.aspRoot),
      pools.isSpent(pool, checked.nullifierHash),
    ]),
  )
  if (isSpent) throw nullifierAlreadySpent()
  if (!knowsStateRoot) throw unknownStateRoot()
  if (!isLatestAspRoot) throw incorrectAspRoot()
}
