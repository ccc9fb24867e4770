import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import { askNode } from './ask-node.ts'

/** Wei that the oracle below charges: a fixed part, and a part for each byte. */
const [BASE, PER_BYTE] = [10n ** 12n, 2n * 10n ** 11n]
const ORACLE = '0x420000000000000000000000000000000000000F'
/** getL1FeeUpperBound(uint256 n) = n · PER_BYTE + BASE, whatever the selector. */
const ORACLE_CODE = '0x600435642e90edd0000264e8d4a51000015f5260205ff3'

export const l1FeeOf = (bytes: number): bigint => BigInt(bytes) * PER_BYTE + BASE

export interface OpStackDoor {
  url: string
  /** Wei in every receipt. */
  readonly l1Fee: bigint
  /** How often the oracle was called since the last call. */
  takeQuestions(): number
  close(): Promise<void>
}

interface Answer {
  id: number
  result?: unknown
}

/**
 * Makes a local chain look like one of the OP stack: our contract is at the address of the GasPriceOracle, and the
 * proxy adds `l1Fee` to receipts. The chain itself charges none.
 */
export async function startOpStackDoor(target: string): Promise<OpStackDoor> {
  await askNode(target, 'anvil_setCode', ORACLE, ORACLE_CODE)
  const l1Fee = 123_456_789_012_345n
  let questions = 0

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
    const asked: unknown = JSON.parse(body)
    const calls = [asked].flat() as { id: number; method: string; params?: [{ to?: Hex }?] }[]
    questions += calls.filter(({ params }) => params?.[0]?.to?.toLowerCase() === ORACLE.toLowerCase()).length
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, { method: 'POST', headers, body })
    const answers = ([await response.json()].flat() as Answer[]).map((answer) => {
      const call = calls.find(({ id }) => id === answer.id)
      if (call?.method !== 'eth_getTransactionReceipt' || !answer.result) return answer
      return { ...answer, result: { ...answer.result, l1Fee: `0x${l1Fee.toString(16)}` } }
    })
    outgoing.writeHead(200, headers)
    outgoing.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    l1Fee,
    takeQuestions() {
      const taken = questions
      questions = 0
      return taken
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
