import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveAccounts } from '../../../../relayer/devnet/accounts.ts'
import { connectWallet } from '../../../../relayer/devnet/wallet/connect-wallet.ts'
import { depositAbi } from '../../../../relayer/devnet/wallet/deposit.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { post, relayBody, untilFinal, type Answer } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'

/** Roots that follow the one of the proofs: the pool remembers 64, so four more relays have room. */
const FOLLOWERS = 60

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

/** Deposits of somebody else, one after the other. */
async function insertRoots(count: number): Promise<void> {
  const { sender, reader, account } = connectWallet(
    { chainId: 31_337, rpcUrl: node },
    deriveAccounts().clients[2]!.privateKey,
  )
  const first = await reader.getTransactionCount({ address: account.address })
  for (let index = 0; index < count; index += 1) {
    const hash = await sender.writeContract({
      address: service.parts.chains[0]!.relayer!.entrypoint,
      abi: depositAbi,
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

test('relays with an old root are accepted only while the pool remembers the root, and none reverts', async () => {
  const head = BigInt(await askNode<string>(node, 'eth_blockNumber'))
  await expect
    .poll(async () => (await service.services.withdrawals.overview()).chains[0]?.head)
    .toBeGreaterThanOrEqual(head)
  await askNode(node, 'evm_setAutomine', false)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => relay(index)))
  await askNode(node, 'evm_setAutomine', true)
  await askNode(node, 'evm_mine')
  const accepted = answers.filter(({ body }) => body['success'] === true)
  const ends = await Promise.all(
    accepted.map(({ body }) => untilFinal(service.url, String(body['requestId']))),
  )
  expect(ends.map(({ status }) => status)).toEqual(Array(64 - FOLLOWERS).fill('confirmed'))
  const refused = answers.filter(({ body }) => body['success'] !== true)
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 503, body: { code: 'POOL_STATE_REFRESHING' } })

  // Now 64 have followed: the pool has forgotten it, and waiting does not help.
  const late = await relay(8)
  expect(late.body).toMatchObject({ success: false, error: expect.stringMatching(/^UNKNOWN_STATE_ROOT: /) })
})
