import {
  BaseError,
  createTransport,
  RpcRequestError,
  TimeoutError,
  type EIP1193RequestFn,
  type Transport,
} from 'viem'
import { isQuestion } from '../../../proving/rpc/rpc-answers.ts'
import type { NodeRing } from './node-ring.ts'
import { openNode } from './open-node.ts'

/** A question that one node left unanswered must still be answered, or fail, within this time. */
const ANSWER_WITHIN_MS = 9_000
/** A later node gets at least this long. */
const LEAST_MS = 500
/** Codes by which a node declines to answer: limit exceeded and method not supported. */
const ASK_ANOTHER_NODE = new Set([-32005, -32601])
/** Words of a node that lacks a block or its state, which another one may have. A reverted call may contain them too. */
const LACKS_BLOCK =
  /header not found|(?:unknown|missing) block|block (?:\S+ )?(?:not found|is not available)|missing trie node|block.{0,20}out of range|state .{0,80}(?:not available|unavailable|pruned|missing)/i
/** A null answer of these means that the node has nothing, but another node may. */
const MAY_LACK = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getBlockReceipts',
])

/**
 * True when a node understood the call and refused it. Another node would answer the same, so failing over would only hide
 * it.
 */
function isNodesAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError) || ASK_ANOTHER_NODE.has(answer.code)) return false
  const said = `${answer.details} ${answer.message}`
  return /revert/i.test(said) || !LACKS_BLOCK.test(said)
}

/** Rejects as a node that does not answer once the time is over (milliseconds of `performance.now()`). */
async function withinTime<Answer>(asked: Promise<Answer>, answerBy: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const leftMs = Math.max(LEAST_MS, answerBy - performance.now())
  const timer = setTimeout(() => reject(new TimeoutError({ url: 'a node', body: {} })), leftMs)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

/** True if no usable answer came back. */
const isSilent = (error: unknown) =>
  !(error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError))

/**
 * A viem transport over the nodes of a chain, in the ring's order. It asks the next node where one is silent, lacks the
 * block, or has nothing to show; a refusal is an answer.
 */
export const askInTurn =
  (ring: NodeRing): Transport =>
  ({ chain }) => {
    const doors = new Map(
      ring.nodes.map((node) => [
        node,
        openNode(node.url, { identity: node.identity, diary: node.diary })({
          ...(chain && { chain }),
          retryCount: 0,
        }),
      ]),
    )

    async function request({ method, params }: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
      const order = ring.inOrder(method)
      const question = MAY_LACK.has(method) && order.length > 1 ? `${method} ${JSON.stringify(params)}` : null
      const lacking = []
      const answerBy = performance.now() + ANSWER_WITHIN_MS
      let failure: unknown
      for (const node of order) {
        if (question && lacking.length > 0 && !ring.isWorthAsking(node, question)) continue
        try {
          const asked = doors.get(node)!.request({ method, params })
          const isLater = failure !== undefined && isQuestion(method)
          const answer: unknown = await (isLater ? withinTime(asked, answerBy) : asked)
          if (question === null || (answer ?? null) !== null) {
            for (const one of lacking) ring.noteLack(one, method)
            return answer
          }
          // Recorded for all but the first node, which is asked every question.
          if (lacking.length > 0) ring.noteNothing(node, question)
          lacking.push(node)
        } catch (error) {
          if (isNodesAnswer(error)) throw error
          if (isSilent(error)) ring.noteSilence(node)
          failure = error
        }
      }
      if (lacking.length > 0) return null
      throw failure
    }

    return createTransport(
      {
        key: 'nodes',
        name: 'Nodes of a chain',
        type: 'nodes',
        request: request as never,
        retryCount: 1,
        retryDelay: 100,
      },
      { transports: [...doors.values()] },
    )
  }
