import { numberToHex, pad, type Address, type Hash, type Hex } from 'viem'
import type { RpcRequest } from '../../../proving/rpc/json-rpc.ts'
import { askNodes, WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { ChainIndex } from './chain-index.ts'
import { INTENT_EXECUTED } from './find-intents.ts'
import { TRANSFER_TOPICS } from './find-transfers.ts'
import type { RawFlatTrace, RawLog } from './raw-block.ts'
import { lacksMethod } from './trace-block.ts'

type PlacedTrace = RawFlatTrace & { blockNumber: number }

/** Answers to each question about a range; blocks that any answer names are read. */
const ANSWERS = 2

interface Range {
  from: bigint
  to: bigint
}

/**
 * Returns the hashes of the blocks of a range whose logs name one of the addresses, oldest first. If the node has
 * trace_filter, blocks with moves of native coins to or from them are included. A block counts if any answer names it. A
 * node is asked only where those before it failed.
 * @throws The error of the last node; a range may be too large for it.
 */
export async function findPastBlocks(
  { nodes, orchestrators, withoutTraceFilter }: ChainIndex,
  addresses: readonly Address[],
  { from, to }: Range,
): Promise<readonly Hash[]> {
  const span = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  const topics = addresses.map((address) => pad(address.toLowerCase() as Hex, { size: 32 }))
  const logQuery = (filter: object): RpcRequest => ({
    method: 'eth_getLogs',
    params: [{ ...span, ...filter }],
  })
  const queries = TRANSFER_TOPICS.map((kinds, place) =>
    logQuery({ topics: [kinds, ...Array<null>(place).fill(null), topics] }),
  )
  if (orchestrators.length > 0)
    queries.push(logQuery({ address: orchestrators, topics: [[INTENT_EXECUTED], topics] }))

  const findThrough = async (ask: AskOne, url: string): Promise<Map<Hash, bigint>> => {
    // In one batch with the height: a node that lags would find nothing, and report that.
    const [height, ...found] = await ask([{ method: 'eth_blockNumber', params: [] }, ...queries])
    if (BigInt(height as Hex) < to) throw new WrongAnswerError('the node is behind')
    const logs = found.flatMap((answer) => {
      if (!Array.isArray(answer)) throw new WrongAnswerError('the node gave no logs')
      return answer as RawLog[]
    })
    const traces = withoutTraceFilter.has(url)
      ? []
      : await filterTraces(ask, addresses, span).catch((error: unknown) => {
          // Few nodes have it; the balance is right without. A busy node does not count as lacking it.
          if (!lacksMethod(error)) throw error
          withoutTraceFilter.add(url)
          return []
        })
    const hashes = new Map<Hash, bigint>()
    for (const { blockHash, blockNumber } of [...logs, ...traces]) {
      const number = BigInt(blockNumber)
      if (number < from || number > to) throw new WrongAnswerError('the logs are of another range')
      hashes.set(blockHash, number)
    }
    return hashes
  }

  // A range's logs do not show gaps, so it is asked twice. Both questions go to one node, to hide the addresses from others.
  const given: Map<Hash, bigint>[] = []
  while (given.length < ANSWERS) given.push(await askNodes(nodes, findThrough))
  return [...new Map(given.flatMap((hashes) => [...hashes]))]
    .toSorted(([, a], [, b]) => Number(a - b))
    .map(([hash]) => hash)
}

async function filterTraces(
  ask: AskOne,
  addresses: readonly Address[],
  span: object,
): Promise<readonly PlacedTrace[]> {
  const answers = await ask([
    { method: 'trace_filter', params: [{ ...span, toAddress: addresses }] },
    { method: 'trace_filter', params: [{ ...span, fromAddress: addresses }] },
  ])
  return answers.flatMap((answer) => (Array.isArray(answer) ? (answer as PlacedTrace[]) : []))
}
