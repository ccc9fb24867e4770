import { size, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { RELAY_BYTES } from '../../../../relayer/pool/relay/relay-gas.ts'
import { encodeRelay } from '../../../../relayer/pool/relay/encode-relay.ts'
import type { RelayRequest } from '../../../../relayer/pool/relay/withdrawals.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { post, relayBody, untilFinal } from '../../../harness/relay-requests.ts'
import {
  l1FeeOf,
  operatorFeeOf,
  startOpStackDoor,
  type OpStackDoor,
} from '../../../harness/start-op-stack-door.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

const OPERATOR = { scalar: 4_000_000_000n, constant: 10n ** 14n }
const extraOf = (gas: bigint, bytes: number) => {
  const charges = { base: 10n ** 12n, perByte: 2n * 10n ** 11n, operator: OPERATOR }
  return l1FeeOf(bytes, charges) + operatorFeeOf(gas, charges)
}

let world: TestDevnet
let door: OpStackDoor
let service: TestService
let vectors: RelayVectors

beforeAll(async () => {
  world = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  vectors = loadRelayVectors()
  const chain = world.devnet.chains[0]!
  door = await startOpStackDoor(chain.rpcUrls[0]!, { operator: OPERATOR })
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  // Fee parameters are read with heads, which come on the test's demand and as the chain moves.
  service = await startTestService({ chains: [{ ...settings, rpcUrls: [door.url], l1Fee: 'op-stack' }] })
})
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await world?.[Symbol.asyncDispose]()
})

const booked = () =>
  service.database.pool.one(sql.type(z.object({ gasSpent: z.bigint(), hash: z.string() }))`
    select gas_spent as "gasSpent", tx_hash as hash from relay_ledger`)

test('a quote on an OP-stack chain includes the L1 fee and the operator fee as gas without asking the chain', async () => {
  const vector = vectors.relays[0]!
  const quote = () =>
    service.services.withdrawals.quote({
      chainId: 31_337,
      amount: vector.amount,
      asset: vector.asset,
      recipient: vector.recipient,
      extraGas: false,
    })
  const first = await quote()
  door.takeQuestions()
  for (let index = 0; index < 20; index += 1) await quote()
  expect(door.takeQuestions()).toBe(0)
  const { gasPrice, detail, feeBps, baseFeeBps } = first
  const { gas, eth } = detail.relayTxCost
  const unmeasured = 560_000n
  expect(gas).toBe(unmeasured + (extraOf(unmeasured, RELAY_BYTES) + gasPrice - 1n) / gasPrice)
  expect(eth).toBe(gas * gasPrice)
  expect(feeBps).toBe(baseFeeBps + (10_000n * eth) / vector.amount)
})

test('the L1 fee and the operator fee of a relay are booked with its gas, and its size is within the priced size', async () => {
  const body = await relayBody(vectors.relays[0]!)
  const answer = await post(service.url, '/relayer/request', body)
  expect(answer.body).toMatchObject({ success: true })
  await untilFinal(service.url, String(answer.body['requestId']))
  const { gasSpent, hash } = await booked()
  const node = world.chain.rpcUrl
  const receipt = await askNode<{ gasUsed: Hex; effectiveGasPrice: Hex }>(
    node,
    'eth_getTransactionReceipt',
    hash,
  )
  const gasUsed = BigInt(receipt.gasUsed)
  const operatorFee = (gasUsed * OPERATOR.scalar) / 10n ** 6n + OPERATOR.constant
  expect(gasSpent).toBe(gasUsed * BigInt(receipt.effectiveGasPrice) + door.l1Fee + operatorFee)
  const raw = await askNode<Hex>(node, 'eth_getRawTransactionByHash', hash)
  expect(size(raw) - 68).toBeLessThanOrEqual(RELAY_BYTES)
  expect(size(encodeRelay(body as unknown as RelayRequest))).toBeGreaterThan(RELAY_BYTES - 150)
  const reserved = await service.database.pool.oneFirst(sql.type(z.object({ reserved: z.bigint() }))`
    select reserved - gas_limit * max_fee_per_gas as reserved from outbound_tx
    join outbound_attempt on outbound_id = id where hash = ${hash}`)
  // Twice the cost of publishing it, as with the base fee, beside the gas.
  expect(reserved).toBeGreaterThanOrEqual(2n * extraOf(gasUsed, size(raw) - 68))
})
