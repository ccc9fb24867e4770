import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveAccounts } from '../devnet/accounts.ts'
import { post, relayBody, untilFinal } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { startSigner, type TestSigner } from '../proving/signing/start-signer.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'
import { at } from '../vectors/relay-story.ts'

const { feeReceiver } = deriveAccounts()
const vectors = loadRelayVectors()
const vector = at(vectors.relays, 0)

let signer: TestSigner
let local: TestDevnet
let service: TestService

beforeAll(async () => {
  signer = await startSigner(feeReceiver.privateKey)
  local = await startTestDevnet({ ports: [0], deterministic: true }, { hasVectorDeposits: true })
  const chain = at(local.devnet.chains, 0)
  const written = JSON.stringify(chain, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  const feeReceiverKey = { remote: signer.url, address: feeReceiver.address }
  const described = JSON.parse(written) as { relayer: object }
  const relayer = { ...described.relayer, feeReceiverKey }
  service = await startTestService({ chains: [{ ...described, relayer }] })
})
afterAll(async () => {
  await service?.stop()
  await local?.[Symbol.asyncDispose]()
  await signer?.stop()
})

const quote = () =>
  post(service.url, '/relayer/quote', {
    chainId: vector.chainId,
    amount: vector.amount.toString(),
    asset: vector.asset,
    recipient: vector.recipient,
  })

test('a remote signer signs quotes, and its commitments are honoured', async () => {
  const { status, body } = await quote()
  expect(status).toBe(200)
  expect(body['feeCommitment']).toMatchObject({
    signedRelayerCommitment: expect.stringMatching(/^0x[0-9a-f]{128}(1b|1c)$/),
  })
  expect(signer.asked).toEqual(['eth_signTypedData_v4'])
})

test('without the remote signer there are no quotes, but its earlier commitments are relayed', async () => {
  const request = await relayBody(vector)
  await signer.stop()
  expect(await quote()).toMatchObject({ status: 503 })
  const { body } = await post(service.url, '/relayer/request', request)
  expect(body).toMatchObject({ success: true })
  expect(await untilFinal(service.url, body['requestId'] as string)).toMatchObject({ status: 'confirmed' })
  await signer.start()
  expect(await quote()).toMatchObject({ status: 200 })
})
