import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { numberToHex, type Hash, type Hex } from 'viem'

/** A recorded block: the node's answers, as JSON, with the hash and number by which it knows the block. */
export interface RecordedBlock {
  hash: Hash
  parentHash: Hash
  number: Hex
  answers: { block: string; logs: string; traces: string }
}

interface Question {
  id: number
  method: string
  params: readonly unknown[]
}

/** Hash of a replayed block: its number, so that blocks follow each other. */
const hashOf = (number: number): Hash => numberToHex(number + 1, { size: 32 })

/**
 * A node that answers from memory: it repeats the recorded blocks under numbers and hashes of their own. Thus no chain has
 * to run beside the measurement. Started as a process by measure-catch-up.ts, which sends it the blocks.
 */
export async function replayBlocks(recorded: readonly RecordedBlock[], count: number, chainId: number) {
  const made = new Map<string, string>()
  const hashes = new Map(Array.from({ length: count }, (_, number) => [hashOf(number), number]))

  function tell(number: number, part: 'block' | 'logs' | 'traces'): string {
    const key = `${part}${number}`
    const known = made.get(key)
    if (known !== undefined) return known
    const source = recorded[number % recorded.length]
    if (!source) return 'null'
    const text = source.answers[part]
      .replaceAll(source.hash, hashOf(number))
      .replaceAll(source.parentHash, hashOf(number - 1))
      .replaceAll(`"number":"${source.number}"`, `"number":"${numberToHex(number)}"`)
      .replaceAll(`"blockNumber":"${source.number}"`, `"blockNumber":"${numberToHex(number)}"`)
      .replaceAll(`"blockNumber":${Number(source.number)}`, `"blockNumber":${number}`)
    made.set(key, text)
    return text
  }

  function answer({ method, params: [first] }: Question): string {
    switch (method) {
      case 'eth_chainId':
        return JSON.stringify(numberToHex(chainId))
      case 'eth_blockNumber':
        return JSON.stringify(numberToHex(count - 1))
      case 'eth_getBlockByNumber':
        return tell(first === 'latest' ? count - 1 : Number(first), 'block')
      case 'eth_getBlockByHash':
        return tell(hashes.get(first as Hash) ?? -1, 'block')
      case 'eth_getLogs':
        return tell(hashes.get((first as { blockHash: Hash }).blockHash) ?? -1, 'logs')
      case 'trace_block':
        return tell(Number(first), 'traces')
      default:
        return 'null'
    }
  }

  // Made beforehand, because making the text of an answer must not be measured.
  for (let number = 0; number < count; number += 1)
    for (const part of ['block', 'logs', 'traces'] as const) tell(number, part)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Question | Question[]
      const told = (one: Question) => `{"jsonrpc":"2.0","id":${one.id},"result":${answer(one)}}`
      response.setHeader('content-type', 'application/json')
      response.end(Array.isArray(asked) ? `[${asked.map(told).join()}]` : told(asked))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
