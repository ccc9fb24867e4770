import type { RelayingChain } from '../nodes/chain.ts'
import { DUTIES, listSigners, type Duty } from '../nodes/list-signers.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { gatherRuns } from '../../concurrency/gather-runs.ts'
import type { Assigned } from './assign-queued.ts'
import { dispatchQueued, offerAssigned } from './dispatch-queued.ts'
import { listNodes, listTakers } from './list-nodes.ts'
import { createSimulatedOrigins } from './simulated-origins.ts'
import { openSignerAccount } from './open-signer-account.ts'
import type { Outbox, Signer } from './outbox.ts'
import { watchOutbox } from './watch-outbox.ts'

/** Concurrent runs of first offers: a chain whose only node hangs must leave database connections to others. */
const FIRST_OFFERS = 2

/** An {@link Outbox} with the two loops that work on it. */
export interface OpenOutbox {
  outbox: Outbox
  /** Checks the chain now; never rejects. */
  watch(): Promise<void>
  /** Processes the queue of a duty now, or the whole queue; never rejects. */
  dispatch(duty?: Duty): Promise<void>
  /** Sends a transaction that was signed when it was written; after the end the next holder of the lease does it. */
  offer(assigned: Assigned): void
  /** Resolves when the running steps are done; none begins after the call. */
  close(): Promise<void>
}

type OutboxParts = Omit<
  Outbox,
  | 'chain'
  | 'nodes'
  | 'takers'
  | 'signers'
  | 'dispatch'
  | 'hasQueued'
  | 'underWay'
  | 'lookedAt'
  | 'lookedAtAllAt'
  | 'firstOffers'
  | 'inHand'
  | 'handedOverAt'
  | 'simulatedOrigins'
  | 'reviewedAt'
  | 'heldAt'
  | 'failingSince'
  | 'unprovenAt'
  | 'unreviewable'
  | 'uncovered'
>

/** Opens the outbox of one chain. */
export function openOutbox(chain: RelayingChain, parts: OutboxParts): OpenOutbox {
  const logger = parts.logger.child({ chainId: chain.config.chainId })
  const sendings = new Set<Promise<void>>()
  /** The duties whose queue the next run processes. */
  let due = new Set<Duty>()
  let closed = false

  const logUnsent = (error: unknown) =>
    logger.error({ err: error }, 'sending failed; what is signed is sent again later')

  const outbox: Outbox = {
    ...parts,
    logger,
    chain,
    nodes: listNodes(chain.client),
    takers: listTakers(chain),
    signers: new Map(
      listSigners(chain.config.relayer).map(({ key, duty }) => {
        const account = openSignerAccount(key)
        return [account.address, createSigner(account, duty)]
      }),
    ),
    dispatch: () => void dispatch(),
    hasQueued: false,
    underWay: { count: 0, countedAt: -Infinity },
    lookedAt: -Infinity,
    lookedAtAllAt: -Infinity,
    firstOffers: gatherRuns(FIRST_OFFERS, (assigned) => offerAssigned(outbox, assigned), logUnsent),
    inHand: new Set(),
    handedOverAt: new Map(),
    simulatedOrigins: createSimulatedOrigins(),
    reviewedAt: new Map(),
    heldAt: new Map(),
    failingSince: new Map(),
    unprovenAt: new Map(),
    unreviewable: new Set(),
    uncovered: new Map(),
  }

  function track(sending: Promise<void>): void {
    const done = sending.finally(() => sendings.delete(done))
    sendings.add(done)
  }

  const runDispatch = coalesceRuns(
    async () => {
      if (closed) return
      const duties = due
      due = new Set()
      await dispatchQueued(outbox, duties, track)
    },
    (error) => logger.error({ err: error }, 'the queue could not be worked on'),
  )
  const watch = coalesceRuns(
    async () => {
      if (!closed) await watchOutbox(outbox)
    },
    (error) => logger.warn({ err: error }, 'the chain could not be looked at'),
  )
  const dispatch = (duty?: Duty) => {
    for (const one of duty ? [duty] : DUTIES) due.add(one)
    return closed ? Promise.resolve() : runDispatch()
  }

  return {
    outbox,
    watch: () => (closed ? Promise.resolve() : watch()),
    dispatch,
    offer(assigned) {
      if (closed) outbox.inHand.delete(assigned.outbound.id)
      else track(outbox.firstOffers([assigned]))
    },
    async close() {
      closed = true
      await Promise.all([watch(), runDispatch()])
      await Promise.all(sendings)
    },
  }
}

function createSigner(account: Signer['account'], duty: Signer['duty']): Signer {
  return {
    account,
    duty,
    leased: false,
    balance: null,
    txNonce: null,
    nextTxNonce: null,
    pending: 0,
    reserved: 0n,
    gapSince: null,
    alarmed: false,
    lastTurn: 0,
  }
}
