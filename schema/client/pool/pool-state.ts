// SPDX-License-Identifier: MIT
/**
 * How a client learns the state that it needs to spend from a pool: it always asks for all of it. It finds out by
 * itself which notes are its own, and which of them it spends (find-notes.ts). So the service does not learn it.
 */
import { sleep } from '../requests/sleep.ts'
import { buildTree } from './merkle-proof.ts'
import type { Client } from '../account/open-client.ts'
import { isRootOfPool, readAspRoot, type ContractReader, type KnownPool } from './read-pool.ts'

/** The service allows 60 readings a minute. */
const POLL_MS = 1_100
const PATIENCE_MS = 60_000

/** A deposit of the account, or its remainder, as far as the service knows. */
export interface ToldNote {
  id: string
  depositIndex: number | null
  withdrawalIndex: number
  commitment: bigint | null
  /** Null while the deposit is on its way. */
  label: bigint | null
  value: bigint
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed'
}

export interface PoolState {
  leaves: bigint[]
  /** Approved labels. */
  aspLeaves: bigint[]
  /** By nullifierHash of a spent note: the value that left the pool, and the leaf of its change. */
  spent: ReadonlyMap<bigint, { withdrawnValue: bigint; newCommitment: bigint }>
  /** Labels of the deposits that were taken back. */
  recovered: ReadonlySet<bigint>
  notes: ToldNote[]
  nextDepositIndex: number
  /** How many approved deposits of the service's accounts are worth at least so much, by rising amounts. */
  crowd: { atLeast: bigint; deposits: number }[]
}

export interface WireState {
  leaves: string[]
  currentRoot: string
  aspLeaves: string[]
  aspRoot: string | null
  spentNullifiers: { nullifierHash: string; withdrawnValue: string; newCommitment: string }[]
  ragequits: { label: string }[]
  commitments: (Omit<ToldNote, 'commitment' | 'label' | 'value'> & {
    commitment: string | null
    label: string | null
    value: string
  })[]
  nextDepositIndex: number
  crowd: { atLeast: string; deposits: number }[]
}

/** A client's copy of a pool; each reading asks only for the news. */
export interface PoolView {
  readonly pool: KnownPool
  /** @throws Error where the trees of the answer are not complete. */
  read(): Promise<PoolState>
  /**
   * The same before a proof, which publishes the roots of its trees: roots that only this wallet was given would mark it.
   * @throws Error where the chain has other roots.
   */
  readForProof(): Promise<PoolState>
}

/** @param reader Asks a node of the wallet's choice. */
export function createPoolView(
  client: Client,
  pool: KnownPool,
  reader: ContractReader,
  patienceMs = PATIENCE_MS,
): PoolView {
  const path = `/v1/accounts/${client.accountId}/pool/state?chainId=${pool.chainId}&token=${pool.token}`
  let known: WireState | null = null
  const ask = (tail = '') => untilRead(() => client.ask<WireState>('GET', path + tail))
  const readTail = async ({ leaves, aspLeaves, spentNullifiers }: WireState) => {
    const from = `&fromIndex=${leaves.length}&aspFromIndex=${aspLeaves.length}&fromSpent=${spentNullifiers.length}`
    const tail = await ask(from)
    return {
      ...tail,
      leaves: [...leaves, ...tail.leaves],
      aspLeaves: [...aspLeaves, ...tail.aspLeaves],
      spentNullifiers: [...spentNullifiers, ...tail.spentNullifiers],
    }
  }
  const readWire = async () => {
    // A reorg may have taken back leaves, and the set may have lost labels: then the tails do not fit.
    const grown = known && (await readTail(known).catch(nothingIfRefused))
    known = grown && isComplete(grown) ? grown : await ask()
    return known
  }
  return {
    pool,
    read: async () => parsePoolState(await readWire()),
    async readForProof() {
      const end = performance.now() + patienceMs
      for (;;) {
        const wire = await readWire()
        const state = parsePoolState(wire)
        if (!(await isRootOfPool(reader, pool, BigInt(wire.currentRoot))))
          throw new Error('the pool has no state tree as the service tells it')
        if ((await readAspRoot(reader, pool)) === BigInt(wire.aspRoot ?? 0)) return state
        // The service may not have read the newest set yet.
        if (performance.now() > end)
          throw new Error('the chain has another association set than the service tells')
        await sleep(POLL_MS)
      }
    },
  }
}

/** After a deposit the service may not have read all of the pool yet: it answers nothing rather than a part. */
async function untilRead(ask: () => Promise<WireState>): Promise<WireState> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isRefreshing = error instanceof Error && error.message.includes('POOL_STATE_REFRESHING')
      if (!isRefreshing || performance.now() > end) throw error
      await sleep(POLL_MS)
    }
  }
}

/** There is less now than the client has. */
function nothingIfRefused(error: unknown): null {
  if (error instanceof Error && error.message.includes(': 400 ')) return null
  throw error
}

/** @throws Error where the leaves do not hash to the roots that the answer names. */
export function parsePoolState(answer: WireState): PoolState {
  if (!isComplete(answer)) throw new Error('the trees of the pool are not complete')
  return {
    leaves: answer.leaves.map(BigInt),
    aspLeaves: answer.aspLeaves.map(BigInt),
    spent: new Map(
      answer.spentNullifiers.map(({ nullifierHash, withdrawnValue, newCommitment }) => [
        BigInt(nullifierHash),
        { withdrawnValue: BigInt(withdrawnValue), newCommitment: BigInt(newCommitment) },
      ]),
    ),
    recovered: new Set(answer.ragequits.map(({ label }) => BigInt(label))),
    notes: answer.commitments.map(({ commitment, label, value, ...note }) => ({
      ...note,
      commitment: commitment === null ? null : BigInt(commitment),
      label: label === null ? null : BigInt(label),
      value: BigInt(value),
    })),
    nextDepositIndex: answer.nextDepositIndex,
    crowd: answer.crowd.map(({ atLeast, deposits }) => ({ atLeast: BigInt(atLeast), deposits })),
  }
}

const isComplete = ({ leaves, currentRoot, aspLeaves, aspRoot }: WireState) =>
  rootOf(leaves) === BigInt(currentRoot) && rootOf(aspLeaves) === BigInt(aspRoot ?? 0)

const rootOf = (leaves: readonly string[]) => (leaves.length === 0 ? 0n : buildTree(leaves.map(BigInt)).root)
