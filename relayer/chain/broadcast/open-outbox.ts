import type { RelayingChain } from '../nodes/chain.ts'
import { DUTIES, listSigners, type Duty, hasDuty } from '../nodes/relayer-config.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { gatherRuns } from '../../concurrency/gather-calls.ts'
import { type Assigned, assignQueued } from './assign-queued.ts'
import { listNodes, listTakers } from './list-nodes.ts'
import { createSimulatedOrigins } from './simulate-as-sent.ts'
import { openSignerAccount } from './signers.ts'
import { type Outbox, type Signer, readMarket } from './outbox.ts'
import { watchOutbox } from './watch-outbox.ts'
import { actOnAnswers } from './act-on-answers.ts'
import { computeFees, meetsMarket } from './compute-fees.ts'
import { offerFirst } from './offer-forms.ts'

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

  const outbox = createState(chain, { ...parts, logger }, () => void dispatch())

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

function createState(chain: RelayingChain, parts: OutboxParts, dispatch: () => void): Outbox {
  const logUnsent = (error: unknown) =>
    parts.logger.error({ err: error }, 'sending failed; what is signed is sent again later')
  const outbox: Outbox = {
    ...parts,
    chain,
    nodes: listNodes(chain.client),
    takers: listTakers(chain),
    signers: new Map(
      listSigners(chain.config.relayer).map(({ key, duty }) => {
        const account = openSignerAccount(key)
        return [account.address, createSigner(account, duty)]
      }),
    ),
    dispatch,
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
  return outbox
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

/**
 * Assigns the queued transactions of these duties and sends them. Sending continues after the promise resolves. It is passed
 * to `track`, so that the next transactions need not wait for these answers.
 */
async function dispatchQueued(
  outbox: Outbox,
  duties: ReadonlySet<Duty>,
  track: (sending: Promise<void>) => void,
): Promise<void> {
  const leased = [...outbox.signers.values()].filter(
    (signer) => signer.leased && [...duties].some((duty) => hasDuty(signer, duty)),
  )
  // One after the other: transactions that wait for signers of relays delay no send, and the other way round.
  for (const duty of new Set(leased.map((signer) => signer.duty))) await dispatchOf(outbox, duty, track)
}

async function dispatchOf(
  outbox: Outbox,
  duty: Signer['duty'],
  track: (sending: Promise<void>) => void,
): Promise<void> {
  for (;;) {
    const market = readMarket(outbox)
    if (!market) return
    const fees = computeFees(market, outbox.chain.config.relayer.maxGasPrice)
    // Above the cap nothing would be mined: the queue waits without using up nonces.
    if (!meetsMarket(fees, market)) return
    const { assigned, hasMore } = await assignQueued(outbox, fees, duty)
    for (const { outbound } of assigned) outbox.simulatedOrigins.forget(outbound.id)
    if (assigned.length > 0) track(outbox.firstOffers(assigned))
    if (!hasMore) return
  }
}

/** Sends them to nodes in one JSON-RPC batch, in nonce order per signer. */
async function offerAssigned(outbox: Outbox, assigned: readonly Assigned[]): Promise<void> {
  try {
    const offers = assigned.map(({ outbound, assignment }) => ({
      ...outbound,
      refusals: 0,
      attempts: [assignment.attempt],
    }))
    await actOnAnswers(outbox, await offerFirst(outbox, offers))
  } finally {
    for (const { outbound } of assigned) outbox.inHand.delete(outbound.id)
  }
}
