import { pad, slice, type Hash } from 'viem'
import type { AcrossChain } from './across-chain.ts'
import { FILL_STATUS, fillerAbi } from './filler-abi.ts'
import { judgeDeposit } from './judge-deposit.ts'
import { followDeposits, type SpokePoolDeposit } from './read-deposits.ts'

/** A deposit and its state at the filler. */
export interface KnownDeposit extends SpokePoolDeposit {
  /** By which the SpokePool of the destination chain knows it. */
  relayHash: Hash
  /** When it was first seen, in milliseconds of our clock. */
  seenAt: number
  /** `open` until it is filled, too late for that, or left alone for ever. */
  state: 'open' | 'filled' | 'expired' | 'refused'
  /** Why it was not filled; null while nothing is in the way. */
  reason: string | null
  /** No sooner is anything tried again, in milliseconds of our clock. */
  retryAt: number
}

/** How the filler works; may change at any time. */
export interface FillerOrders {
  /** Seconds between a deposit and its fill. */
  delaySeconds: number
  /** Whether it fills, waits with everything, or never fills the deposits made meanwhile. */
  mode: 'fill' | 'hold' | 'refuse'
  /** Relay hashes that it never fills. */
  refused: Hash[]
}

/** Pays on one chain the deposits of another. */
export interface Filler {
  /** In the order in which they were seen. */
  list(): KnownDeposit[]
  /** Reads the news of every chain. */
  read(): Promise<void>
  /**
   * Reads the news and fills due deposits.
   * @returns The deposits that it filled.
   */
  advance(): Promise<KnownDeposit[]>
}

const RETRY_AFTER_MS = 5_000
/** Why a deposit is not filled that a command refused. */
export const COMMANDED = 'it was told to refuse it'

/**
 * Creates a filler of Across. All its knowledge comes from the chains. A new one finds every deposit again, and asks
 * the contract whether it is filled already.
 * @param hasOwnClock The chains' clocks are not ours: nothing is mined to let deposits expire.
 */
export function createFiller(
  chains: readonly AcrossChain[],
  orders: FillerOrders,
  { hasOwnClock }: { hasOwnClock: boolean },
): Filler {
  const known = new Map<Hash, KnownDeposit>()
  const chainOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)
  const followed = chains.map((origin) => ({
    origin,
    readNew: followDeposits({ ...origin, startBlock: BigInt(origin.startBlock) }),
  }))

  async function readNew({ origin, readNew }: (typeof followed)[number]): Promise<void> {
    const { deposits, isAnew } = await readNew()
    const before = new Map(known)
    if (isAnew) forget(origin.chainId)
    for (const deposit of deposits) {
      const destination = chainOf(deposit.destinationChainId)
      if (!destination) continue
      const relayHash = await destination.readRelayHash(deposit.relay)
      const isFilled = (await destination.readFillStatus(relayHash)) === FILL_STATUS.filled
      if (orders.mode === 'refuse' && !isFilled && !before.has(relayHash)) orders.refused.push(relayHash)
      const reason = orders.refused.includes(relayHash)
        ? COMMANDED
        : judgeDeposit(deposit, { origin, destination })
      const state = isFilled ? 'filled' : reason === null ? 'open' : 'refused'
      const seenAt = before.get(relayHash)?.seenAt ?? Date.now()
      known.set(relayHash, { ...deposit, relayHash, seenAt, state, reason, retryAt: 0 })
    }
  }

  /** After a reorganisation: deposits of the chain may be gone, and fills on it undone. */
  function forget(chainId: number): void {
    for (const deposit of known.values()) {
      if (deposit.relay.originChainId === BigInt(chainId)) known.delete(deposit.relayHash)
      else if (deposit.destinationChainId === chainId && deposit.state !== 'refused') deposit.state = 'open'
    }
  }

  async function advanceOne(deposit: KnownDeposit): Promise<boolean> {
    const destination = chainOf(deposit.destinationChainId)
    const now = Date.now()
    if (!destination || deposit.state !== 'open' || now < deposit.retryAt) return false
    if (now < deposit.seenAt + orders.delaySeconds * 1_000) return false
    if (orders.mode === 'hold' && now < deposit.relay.fillDeadline * 1_000) return false
    deposit.retryAt = now + RETRY_AFTER_MS
    const [status, time] = await Promise.all([
      destination.readFillStatus(deposit.relayHash),
      destination.readTime(),
    ])
    if (status === FILL_STATUS.filled) deposit.state = 'filled'
    else if (time > deposit.relay.fillDeadline) deposit.state = 'expired'
    // A chain that mines on demand stands still between uses, and a deposit expires by its clock.
    else if (!hasOwnClock && now > deposit.relay.fillDeadline * 1_000) await destination.mine()
    else if (orders.mode !== 'hold') return fill(destination, deposit)
    return false
  }

  /** Whether it filled the deposit. */
  async function fill(destination: AcrossChain, deposit: KnownDeposit): Promise<boolean> {
    const { relay } = deposit
    try {
      await destination.provide(slice(relay.outputToken, 12), relay.outputAmount)
      await destination.send({
        address: destination.spokePool,
        abi: fillerAbi,
        functionName: 'fillRelay',
        args: [relay, relay.originChainId, pad(destination.filler, { size: 32 })],
        passesCalls: true,
      })
    } catch (error) {
      deposit.reason = String(error)
      return false
    }
    deposit.reason = null
    deposit.state = 'filled'
    return true
  }

  const read = async () => {
    for (const one of followed) await readNew(one)
  }
  return {
    list: () => [...known.values()],
    read,
    async advance() {
      await read()
      const filled: KnownDeposit[] = []
      for (const deposit of known.values()) if (await advanceOne(deposit)) filled.push(deposit)
      return filled
    },
  }
}
