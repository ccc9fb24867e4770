import { setTimeout as sleep } from 'node:timers/promises'
import {
  insertingRelayRequest,
  isNoteTaken,
  isRootOutlived,
  listNotesUnderWay,
  type RequestRoot,
} from '../../../db/pool/relay/relay-requests.ts'
import type { Cover } from '../../../db/chain/broadcast/outbound-rows.ts'
import type { OutboundCall } from '../../chain/broadcast/broadcast-engine.ts'
import { isGasRefused } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import type { CheckedRequest } from './check-request.ts'
import type { RelayerParts } from './relay-withdrawal.ts'
import type { PreparedRelay } from './prepare-relay.ts'
import { answerLate } from '../../errors.ts'
import { poolStateRefreshing } from '../errors.ts'
import { isMissingAnswer } from './node-silence.ts'
import { unknownStateRoot } from './refusals.ts'

/** The kind of relays in the outbox; their reference is the requestId. */
export const RELAY_KIND = 'relay'

/**
 * Pauses in milliseconds before a request without room is tried again. A relay that was accepted and mined during the
 * read of the pool counts twice until the next read.
 */
const TRY_AGAIN_MS = [0, 100, 400]

/** Maximum of pending relays that the pool is asked about, the oldest first; more than a pool has room for. */
const MOST_ASKED = 128

/**
 * Maximum wait for gas that others' pending transactions hold, and the pause between two tries, in milliseconds. It
 * spans two blocks of Ethereum, twelve seconds each, because only a block frees that gas.
 */
const WAIT_FOR_GAS_MS = 25_000
const GAS_PAUSE_MS = 250

const rootOutlived = (cause: unknown) =>
  poolStateRefreshing(
    'The pending relays would make the pool forget the state root of this proof; prove against a newer root',
    { cause },
  )

type AcceptedRelay = PreparedRelay & {
  cover: Cover
  /** True if the recipient runs code when it is paid. */
  toContract: boolean
}

/**
 * Writes a verified request and its transaction in one statement, which takes its gas from the chain's budget; then
 * has it sent. While others hold that gas, it waits up to about two blocks, but not beyond the time for an answer.
 * @returns The transaction's id in the outbox; null if another request holds the note.
 * @throws ServiceError GAS_BUDGET_USED_UP; POOL_STATE_REFRESHING if the pool would forget the state root too early.
 * RefusedError UNKNOWN_STATE_ROOT if it has forgotten it.
 */
export async function acceptRelay(
  parts: RelayerParts,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
  checked: CheckedRequest,
  relay: AcceptedRelay,
): Promise<string | null> {
  const { gasBudget } = parts
  const { chainId } = checked.pool
  const share = shareOf(relay)
  const until = performance.now() + WAIT_FOR_GAS_MS
  for (;;) {
    try {
      return await acceptNow(parts, requestId, checked, relay)
    } catch (error) {
      if (!isGasRefused(error)) throw error
      await gasBudget.demandRoom({
        chainId,
        accountId: null,
        network: null,
        share,
        gas: relay.call.gas,
        contracts: [],
      })
      if (performance.now() > until || answerLate.matches(signal.reason))
        throw gasBudget.refuse(chainId, share)
      await sleep(GAS_PAUSE_MS)
    }
  }
}

/** Returns the relay's share of the gas budget. */
export const shareOf = ({ toContract }: { toContract: boolean }) => (toContract ? 'relay' : 'plain_relay')

async function acceptNow(
  parts: RelayerParts,
  requestId: string,
  checked: CheckedRequest,
  relay: AcceptedRelay,
): Promise<string | null> {
  const { relayerChain, pool, stateRoot } = checked
  const tryWith = (age: RequestAge) => insertRelay(parts, requestId, checked, relay, age)
  let lastCause: unknown
  try {
    const age = await relayerChain.pools.ageOfRoot(pool, stateRoot)
    if (!age) throw unknownStateRoot()
    return await tryWith(age)
  } catch (error) {
    if (!isRootOutlived(error)) throw error
    lastCause = error
  }
  for (const pauseMs of TRY_AGAIN_MS) {
    await sleep(pauseMs)
    const age = await readExactAge(parts, checked)
    if (!age) continue
    try {
      return await tryWith(age)
    } catch (error) {
      if (!isRootOutlived(error)) throw error
      lastCause = error
    }
  }
  throw rootOutlived(lastCause)
}

type RequestAge = Omit<RequestRoot, 'reserve'>

/**
 * Reads the age of a request's root, and which pending relays already followed it without a receipt. Null if no node
 * answers.
 */
async function readExactAge(
  { pool: database }: RelayerParts,
  { relayerChain, pool, stateRoot }: CheckedRequest,
): Promise<RequestAge | null> {
  const underWay = await listNotesUnderWay(database, pool, MOST_ASKED)
  const age = await relayerChain.pools.ageBeside(pool, stateRoot, underWay).catch((error: unknown) => {
    if (isMissingAnswer(error)) return null
    throw error
  })
  return age && { followers: age.followers, asOf: age.asOf, landed: age.spent }
}

async function insertRelay(
  { broadcast, gasBudget, config }: RelayerParts,
  requestId: string,
  checked: CheckedRequest,
  { call, paidGas, toContract, cover }: AcceptedRelay,
  age: RequestAge,
): Promise<string | null> {
  const { chainId, address, asset } = checked.pool
  const outbound: OutboundCall = {
    chainId,
    kind: RELAY_KIND,
    reference: requestId,
    to: call.to,
    data: call.data,
    value: call.value,
    gasLimit: call.gas,
    origin: call.from,
    cover,
  }
  const line = {
    reference: requestId,
    share: shareOf({ toContract }),
    contracts: [],
    gas: call.gas,
    paidGas,
  } as const
  const inserting = (outboundId: string) => [
    insertingRelayRequest(
      {
        id: requestId,
        chainId,
        pool: address,
        asset: asset.asset,
        nullifierHash: checked.nullifierHash,
        context: checked.context,
        withdrawn: checked.withdrawn,
        outboundId,
        gasShare: toContract ? 'relay' : 'plain',
      },
      { ...age, reserve: config.rootReserve },
    ),
    gasBudget.taking(outboundId, { chainId, lines: [line], provenAfter: 0 }),
  ]
  try {
    return await broadcast.send(outbound, inserting)
  } catch (error) {
    if (isNoteTaken(error)) return null
    throw error
  }
}
