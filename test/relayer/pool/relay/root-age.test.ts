import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { depositWithErrorsAbi } from '../../../devnet/wallet/deposit.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { post, relayBody, untilFinal, type Answer } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'

/** Roots that follow the one of the proofs: the pool remembers 64, so eight more relays have room. */
const FOLLOWERS = 56

/** Relays that take half of that room. */
const BEFORE = [0, 1, 2, 3]

let service: TestService
let vectors: RelayVectors
let node: string

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService(
    { withdrawals: { sendWaitMs: 5_000, rootReserve: 0 } },
    { hasVectorDeposits: true },
  )
  const [chain] = service.parts.chains
  node = chain!.rpcUrls[0]!
  await insertRoots(FOLLOWERS)
})
afterAll(() => service?.stop())

/** Inserts deposits of strangers, one after the other. */
async function insertRoots(count: number): Promise<void> {
  const { sender, reader, account } = connectWallet(
    { chainId: 31_337, rpcUrl: node },
    deriveAccounts().clients[2]!.privateKey,
  )
  const first = await reader.getTransactionCount({ address: account.address })
  for (let index = 0; index < count; index += 1) {
    const hash = await sender.writeContract({
      address: service.parts.chains[0]!.relayer!.entrypoint,
      abi: depositWithErrorsAbi,
      functionName: 'deposit',
      args: [BigInt(first + index + 1_000_000)],
      value: parseEther('0.1'),
      gas: 2_000_000n,
      nonce: first + index,
    })
    if (index === count - 1) await reader.waitForTransactionReceipt({ hash })
  }
}

const relay = async (index: number): Promise<Answer> =>
  post(service.url, '/relayer/request', await relayBody(vectors.relays[index]!))

async function untilHeadIsKnown(): Promise<void> {
  const head = BigInt(await askNode<string>(node, 'eth_blockNumber'))
  await expect
    .poll(async () => (await service.services.withdrawals.overview()).chains[0]?.head)
    .toBeGreaterThanOrEqual(head)
}

/** Sends requests at once; none is mined before {@link mine}. */
async function relayUnmined(indexes: readonly number[]): Promise<Answer[]> {
  await untilHeadIsKnown()
  await askNode(node, 'evm_setAutomine', false)
  return Promise.all(indexes.map(relay))
}

async function mine(): Promise<void> {
  await askNode(node, 'evm_setAutomine', true)
  await askNode(node, 'evm_mine')
}

const endsOf = (answers: readonly Answer[]) =>
  Promise.all(answers.map(({ body }) => untilFinal(service.url, String(body['requestId']))))

const isAccepted = ({ body }: Answer) => body['success'] === true

test('a relay that was mined takes one place among the roots, also while its receipt is not noted yet', async () => {
  const { pool } = service.database
  const answers = await relayUnmined(BEFORE)
  const held = await holdTransaction(pool, (transaction) =>
    transaction.query(sql.unsafe`select from outbound_tx for update`),
  )
  await mine()
  await untilSomebodyWaits(pool)
  // Were they counted as roots and as pending requests, there would be no room for another.
  answers.push(await relay(BEFORE.length))
  await held.commit()
  expect(answers.filter(isAccepted)).toHaveLength(answers.length)
  for (const { status } of await endsOf(answers)) expect(status).toBe('confirmed')
})

test('relays with an old root are accepted only while the pool remembers the root, and none reverts', async () => {
  const used = BEFORE.length + 1
  const answers = await relayUnmined(Array.from({ length: 8 }, (_, index) => used + index))
  await mine()
  const ends = await endsOf(answers.filter(isAccepted))
  expect(ends.map(({ status }) => status)).toEqual(Array(64 - FOLLOWERS - used).fill('confirmed'))
  for (const answer of answers.filter((one) => !isAccepted(one)))
    expect(answer).toMatchObject({ status: 503, body: { code: 'POOL_STATE_REFRESHING' } })

  // Now 64 have followed: the pool has forgotten it, and waiting does not help.
  const late = await relay(used + 8)
  expect(late.body).toMatchObject({ success: false, error: expect.stringMatching(/^UNKNOWN_STATE_ROOT: /) })
})
