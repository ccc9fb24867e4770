import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { numberToHex, toFunctionSelector, type Hex } from 'viem'
import { askNode } from './ask-node.ts'

/** The fees of the oracle below, in wei. */
export interface Charges {
  /** L1 fee: a fixed part, and a part for each byte. */
  base: bigint
  perByte: bigint
  /** Operator fee; null on a chain that is older than Isthmus. */
  operator: { scalar: bigint; constant: bigint } | null
}

const CHARGES: Charges = { base: 10n ** 12n, perByte: 2n * 10n ** 11n, operator: null }
const ORACLE = '0x420000000000000000000000000000000000000F'
const OPERATOR_FEE = toFunctionSelector('getOperatorFee(uint256)')

export const l1FeeOf = (bytes: number, { base, perByte }: Charges = CHARGES): bigint =>
  BigInt(bytes) * perByte + base

/** The operator fee of this gas. */
export const operatorFeeOf = (gas: bigint, { operator }: Charges): bigint =>
  operator ? (gas * operator.scalar) / 10n ** 6n + operator.constant : 0n

/** getOperatorFee(uint256), and the L1 fee for any other selector. */
function codeOf({ base, perByte, operator }: Charges): Hex {
  const word = (value: bigint) => `67${numberToHex(value, { size: 8 }).slice(2)}`
  const argument = '600435'
  const answer = '5f5260205ff3'
  const l1 = `${argument}${word(perByte)}02${word(base)}01${answer}`
  const operatorFee = operator
    ? `${argument}${word(operator.scalar)}02620f42409004${word(operator.constant)}01${answer}`
    : '5f5ffd'
  const head = `5f3560e01c63${OPERATOR_FEE.slice(2)}1460`
  const place = (head.length + l1.length) / 2 + 2
  return `0x${head}${place.toString(16).padStart(2, '0')}57${l1}5b${operatorFee}`
}

export interface OpStackDoor {
  url: string
  /** Wei in every receipt. */
  readonly l1Fee: bigint
  /** How often the oracle was called since the last call. */
  takeQuestions(): number
  /** The oracle charges this from now on, and receipts name it. */
  charge(charges: Partial<Charges>): Promise<void>
  close(): Promise<void>
}

interface Answer {
  id: number
  result?: unknown
}

/**
 * Makes a local chain look like one of the OP stack. Our contract is at the address of the GasPriceOracle, and the
 * proxy adds the fees to receipts. The chain itself charges none.
 */
export async function startOpStackDoor(target: string, first: Partial<Charges> = {}): Promise<OpStackDoor> {
  let charges: Charges = { ...CHARGES, ...first }
  const write = () => askNode(target, 'anvil_setCode', ORACLE, codeOf(charges))
  await write()
  const l1Fee = 123_456_789_012_345n
  let questions = 0

  function feesOfReceipt() {
    const { operator } = charges
    return {
      l1Fee: numberToHex(l1Fee),
      ...(operator && {
        operatorFeeScalar: numberToHex(operator.scalar),
        operatorFeeConstant: numberToHex(operator.constant),
      }),
    }
  }

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
      return { ...answer, result: { ...answer.result, ...feesOfReceipt() } }
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
    async charge(next) {
      charges = { ...charges, ...next }
      await write()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
