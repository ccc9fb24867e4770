import { setTimeout as sleep } from 'node:timers/promises'
import { askNode, TransportError, type RpcRequest } from '../../../proving/rpc/json-rpc.ts'
import { createIdentity, type NodeIdentity } from '../nodes/node-identity.ts'

/** Answers may hold the traces of a whole block; larger traces are read per transaction. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const PAUSE_MS = 100

/** A node answered with impossible data, or data of another chain of blocks. */
export class WrongAnswerError extends Error {
  override name = 'WrongAnswerError'
}

/** Sends requests to one node in one round trip. Throws TransportError, or RpcRefusal for the first that is refused. */
export type AskOne = (requests: readonly RpcRequest[]) => Promise<unknown[]>

/** The nodes of a chain, and which of them to ask first: the last one with a right answer. */
export interface Nodes {
  readonly urls: readonly string[]
  preferred: number
  readonly timeoutMs: number
  /** Called for a node that did not answer. */
  noteSilence?(url: string): void
  /** By URL. */
  readonly identities?: ReadonlyMap<string, NodeIdentity>
}

/**
 * Creates the nodes of one chain, the first of them preferred. Opens no connection. `timeoutMs` limits each request. Without
 * identities from elsewhere in the thread, it compares the chain ids itself.
 */
export const openNodes = (
  urls: readonly string[],
  timeoutMs: number,
  chainId: number,
  identities: ReadonlyMap<string, NodeIdentity> = new Map(
    urls.map((url) => [url, createIdentity(url, chainId, timeoutMs)]),
  ),
): Nodes => ({ urls, preferred: 0, timeoutMs, identities })

/** Asks one node directly. Exported for the tests of `traceBlock`, which takes such a function. */
export function askOne(
  { timeoutMs, identities }: Pick<Nodes, 'timeoutMs' | 'identities'>,
  url: string,
): AskOne {
  const identity = identities?.get(url)
  const ask = async (requests: readonly RpcRequest[]) => {
    if (!identity) return askNode(url, requests, AbortSignal.timeout(timeoutMs), MAX_ANSWER_BYTES)
    try {
      await identity.confirm()
      const answers = await askNode(url, requests, AbortSignal.timeout(timeoutMs), MAX_ANSWER_BYTES)
      // The request may have opened a connection.
      await identity.confirm()
      return answers
    } catch (error) {
      identity.doubt()
      throw error
    }
  }
  return async (requests) => {
    const answers = await ask(requests)
    return answers.map((answer) => {
      if ('refusal' in answer) throw answer.refusal
      return answer.result
    })
  }
}

/**
 * Does the work with one node after the other until it succeeds, in several rounds. Behind one URL there may be many nodes,
 * of which some lag.
 * @throws The error of the last attempt.
 */
export async function askNodes<Result>(
  nodes: Nodes,
  work: (ask: AskOne, url: string) => Promise<Result>,
  rounds = 3,
): Promise<Result> {
  let last: unknown
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await sleep(PAUSE_MS * round)
    const first = nodes.preferred
    for (const offset of nodes.urls.keys()) {
      const index = (first + offset) % nodes.urls.length
      const url = nodes.urls[index] as string
      try {
        const result = await work(askOne(nodes, url), url)
        nodes.preferred = index
        return result
      } catch (error) {
        if (error instanceof TransportError) nodes.noteSilence?.(url)
        last = error
      }
    }
  }
  throw last
}

/** Returns the answers of all nodes; silent nodes are omitted. */
export async function askEveryNode<Result>(
  nodes: Nodes,
  work: (ask: AskOne) => Promise<Result>,
): Promise<readonly Result[]> {
  const answers = await Promise.allSettled(nodes.urls.map((url) => work(askOne(nodes, url))))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}
