import { type Address, type PublicClient, decodeFunctionData, isAddressEqual, type Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { BroadcastEngine, Reviewer, WaitingCall } from '../../chain/broadcast/broadcast-engine.ts'
import { gatherAnswers } from '../../chain/broadcast/agree-on-nonce.ts'
import { listClients } from '../../chain/broadcast/list-nodes.ts'
import { entrypointAbi, poolAbi } from '../../chain/contracts/privacy-pools.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { confirmRefusal } from '../../chain/nodes/each-node.ts'
import { hasDuty } from '../../chain/nodes/relayer-config.ts'
import { ROOT_HISTORY } from '../state/follow-roots.ts'
import type { Pool } from '../state/pool-state.ts'
import type { RelayerChain, RelayerChains } from './relayer-chain.ts'
import { simulateRelay } from './simulate-relay.ts'
import { RefusedError, type Refusal } from './define-refusal.ts'
import { incorrectAspRoot, nullifierAlreadySpent, unknownStateRoot } from './refusals.ts'
import { multicallAbi } from './encode-relay.ts'

/** Nodes without an archive have the state of 128 blocks. */
const DEEPEST = 64n

/**
 * Creates the review of relays that wait long. A queued relay is simulated as on acceptance, and so is one before it
 * is sent again.
 * A relay that nodes may hold is not simulated, because a node that mined it would see its note as spent. It is
 * hopeless only if the chain has moved on from its proof's premises. That is judged by the newest block of every node
 * that answers and by a final block. If the chain has several nodes, two must answer, because a lagging node does not
 * know the proof's roots yet.
 */
export function createRelayReviewer(
  chains: RelayerChains,
  proving: ProvingPool,
  broadcast: BroadcastEngine,
  config: { simulateTimeoutMs: number },
): Reviewer {
  const simulate = (chain: Chain, from: Address, { to, data, value, gasLimit }: WaitingCall) =>
    simulateRelay(
      { proving, broadcast },
      chain,
      { from, to, data, value, gas: gasLimit },
      config.simulateTimeoutMs,
    ).then(() => null, readRefusal)
  return {
    async queued(call) {
      const chain = chains.get(call.chainId)?.chain
      const from = broadcast.simulationSender(call.chainId, 'relays')
      if (!chain || !from) throw new Error(`no signer of chain ${call.chainId} can send now`)
      return (await simulate(chain, from, call))?.message ?? null
    },
    async again(call) {
      const { chainId } = call
      const chain = chains.get(chainId)?.chain
      const first = broadcast
        .signers()
        .find((signer) => signer.chainId === chainId && hasDuty(signer, 'relays'))?.address
      const from = broadcast.simulationSender(chainId, 'relays') ?? first
      if (!chain || !from) throw new Error(`chain ${chainId} has no signer`)
      return confirmRefusal(chain, async (asked) => {
        const refused = await simulate(asked, from, call)
        // It may be in a block that a node behind the same URL does not show yet; a final block decides.
        if (refused?.refusal === nullifierAlreadySpent)
          throw new Error('its note is spent, by whom is not final')
        return refused?.message ?? null
      })
    },
    async unmined({ chainId, to, data }) {
      const relayerChain = chains.get(chainId)
      const head = relayerChain?.chain.head()
      const relay = relayerChain && decodeRelay({ to, data }, relayerChain.chain.config.relayer.entrypoint)
      const pool = relay && relayerChain.pools.byScope(relay.scope)
      if (!head || !pool) return null
      const confirmations = BigInt(relayerChain.chain.config.confirmations)
      const depth = confirmations < DEEPEST ? confirmations : DEEPEST
      const hasRoot = await relayerChain.pools.knowsStateRoot(pool, relay.stateRoot)
      const look = (client: PublicClient, at: At) =>
        judge(client, relayerChain, pool, { ...relay, hasRoot }, at)
      const { client } = relayerChain.chain
      const nodes = listClients(client)
      const newest = await gatherAnswers(nodes.map((node) => look(node, { blockTag: 'latest' })))
      if (newest.length < Math.min(2, nodes.length) || newest.includes(null)) return null
      // Checked at a final block too: no reorg can make it succeed again.
      const final = await look(client, { blockNumber: head.number > depth ? head.number - depth : 0n })
      return final && final().message
    },
  }
}

function readRefusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error
  throw error
}

type At = { blockTag: 'latest' } | { blockNumber: bigint }

/**
 * Returns why the contracts would reject the relay in the state after a block; null if they might accept it.
 * @param relay `hasRoot`: the pool is known to have the state root now; its 64 roots need not be read.
 */
async function judge(
  client: PublicClient,
  { chain: { config } }: RelayerChain,
  pool: Pool,
  relay: RelayPremises & { hasRoot: boolean },
  at: At,
): Promise<Refusal | null> {
  const [isSpent, roots, aspRoot] = await Promise.all([
    client.readContract({
      address: pool.address,
      abi: poolAbi,
      functionName: 'nullifierHashes',
      args: [relay.nullifierHash],
      ...at,
    }),
    relay.hasRoot ? null : readRoots(client, pool, at),
    client.readContract({
      address: config.relayer.entrypoint,
      abi: entrypointAbi,
      functionName: 'latestRoot',
      ...at,
    }),
  ])
  if (isSpent) return nullifierAlreadySpent
  if (roots && !roots.includes(relay.stateRoot)) return unknownStateRoot
  return aspRoot === relay.aspRoot ? null : incorrectAspRoot
}

const readRoots = (client: PublicClient, { address }: Pool, at: At) =>
  Promise.all(
    Array.from({ length: ROOT_HISTORY }, (_, index) =>
      client.readContract({
        address,
        abi: poolAbi,
        functionName: 'roots',
        args: [BigInt(index)],
        ...at,
      }),
    ),
  )

/** The values that the contracts compare a relay with. */
interface RelayPremises {
  scope: bigint
  nullifierHash: bigint
  stateRoot: bigint
  aspRoot: bigint
}

/** Decodes the premises of a relay's transaction, plain or in a multicall with a top-up; null if it is no relay. */
function decodeRelay(call: { to: Address; data: Hex }, entrypoint: Address): RelayPremises | null {
  try {
    const data = isAddressEqual(call.to, entrypoint) ? call.data : findInner(call.data, entrypoint)
    if (data === undefined) return null
    const { functionName, args } = decodeFunctionData({ abi: entrypointAbi, data })
    if (functionName !== 'relay') return null
    const [, { pubSignals }, scope] = args
    const [, nullifierHash, , stateRoot, , aspRoot] = pubSignals
    return { scope, nullifierHash, stateRoot, aspRoot }
  } catch {
    return null
  }
}

function findInner(data: Hex, entrypoint: Address): Hex | undefined {
  const [calls] = decodeFunctionData({ abi: multicallAbi, data }).args
  return calls.find(({ target }) => isAddressEqual(target, entrypoint))?.callData
}
