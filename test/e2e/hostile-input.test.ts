import { Agent, request as httpRequest } from 'node:http'
import { zeroAddress, type Address } from 'viem'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/connect-database.ts'
import { recordTokenSources } from '../../db/market/tokens/token-sources.ts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { computeContext, decodeRelayData, encodeRelayData } from '../../relayer/pool/state/formulas.ts'
import { commitTo, post, relayBody, termsOf, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../vectors/load-relay-vectors.ts'

const Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n

/**
 * A point of the twist outside the subgroup of order r. It is the first (x, y) with x = k + u on y² = x³ + 3/(9 + u)
 * over Fq2 = Fq[u]/(u² + 1).
 */
const TWIST_POINT = [
  ['2', '1'],
  [
    '7292567877523311580221095596750716176434782432868683424513645834767876293070',
    '19659275751359636165940301690575149581329631496732780143538578556285923319774',
  ],
  ['1', '0'],
]

let service: TestService
let vectors: RelayVectors

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService({}, { hasVectorDeposits: true })
})
afterAll(() => service?.stop())

const note = (index: number) => vectors.relays[index]!
const quote = (changes: object) =>
  post(service.url, '/relayer/quote', {
    chainId: 31_337,
    amount: '900000000000000000',
    asset: NATIVE_ASSET,
    recipient: '0x00000000000000000000000000000000BEEF0001',
    ...changes,
  })

/** Sends the body of note 0 with something changed. */
async function requestWith(change: (body: RelayBody) => unknown) {
  return post(service.url, '/relayer/request', change(structuredClone(await relayBody(note(0)))))
}
const refusal = (code: string) => ({
  status: 200,
  body: { success: false, requestId: expect.any(String), error: expect.stringMatching(`^${code}: `) },
})
const badRequest = { status: 400, body: { error: 'Bad request', message: expect.any(String) } }

describe('a quote', () => {
  test('is given for a valid request', async () => {
    expect(await quote({})).toMatchObject({ status: 200, body: { feeCommitment: { asset: NATIVE_ASSET } } })
  })

  test.each([
    ['an unknown chain', { chainId: 424_242 }, 'CHAIN_NOT_SUPPORTED'],
    ['an unknown asset', { asset: '0x00000000000000000000000000000000000000AA' }, 'ASSET_NOT_SUPPORTED'],
    ['amount 0', { amount: '0' }, 'WITHDRAWAL_AMOUNT_TOO_SMALL'],
    ['a negative amount', { amount: '-1' }, 'BAD_REQUEST'],
    ['an amount of 1e80', { amount: `1${'0'.repeat(80)}` }, 'BAD_REQUEST'],
    ['an amount above 2^128', { amount: (1n << 128n).toString() }, 'BAD_REQUEST'],
    ['an amount in words', { amount: 'abc' }, 'BAD_REQUEST'],
    ['an amount in exponents', { amount: '1e18' }, 'BAD_REQUEST'],
    ['a bad recipient', { recipient: '0x1234' }, 'BAD_REQUEST'],
    [
      'a recipient with a wrong checksum',
      { recipient: '0x00000000000000000000000000000000BeEF0001' },
      'BAD_REQUEST',
    ],
    ['an extra property', { tip: '1' }, 'BAD_REQUEST'],
    ['a chainId with a leading zero', { chainId: '031337' }, 'BAD_REQUEST'],
    ['a chainId with a decimal point', { chainId: '31337.0' }, 'BAD_REQUEST'],
    ['a fractional chainId', { chainId: 1.5 }, 'BAD_REQUEST'],
  ])('is refused with a 400 that explains %s', async (_, changes, code) => {
    expect(await quote(changes)).toMatchObject({ ...badRequest, body: { ...badRequest.body, code } })
  })

  test("below the minimum, or with a fee above the pool's maximum, is refused with the limit", async () => {
    const [asset] = service.parts.chains[0]!.relayer!.assets
    const below = await quote({ amount: (asset!.minWithdrawAmount - 1n).toString() })
    expect(below).toMatchObject({
      status: 400,
      body: { code: 'WITHDRAWAL_AMOUNT_TOO_SMALL', minAmount: expect.any(String) },
    })
  })
})

/** Each contract of the devnet that would keep a payment for good, by its place in the settings. */
function lostRecipients(): [string, Address, string][] {
  const { relayer, sending, venues, names } = service.parts.chains[0]!
  const token = relayer!.assets[1]
  return [
    ['zero', zeroAddress, 'BURN_ADDRESS_RECIPIENT'],
    ['a precompile', '0x0000000000000000000000000000000000000001', 'BURN_ADDRESS_RECIPIENT'],
    ['the native coin', NATIVE_ASSET, 'BURN_ADDRESS_RECIPIENT'],
    ['a burn address', '0x000000000000000000000000000000000000dEaD', 'BURN_ADDRESS_RECIPIENT'],
    ['a predeploy', '0x4200000000000000000000000000000000000010', 'BURN_ADDRESS_RECIPIENT'],
    ['a token', token!.asset, 'TOKEN_CONTRACT_RECIPIENT'],
    ['a pool', vectors.story.pools.native.pool, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the Entrypoint', relayer!.entrypoint, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the Multicall3', relayer!.multicall!, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the Orchestrator', sending!.orchestrator, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the account proxy', sending!.accountProxy, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the account', sending!.accountImplementation, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the router', venues.uniswap!.router, 'SERVICE_CONTRACT_RECIPIENT'],
    ['the name registry', names!.registry, 'SERVICE_CONTRACT_RECIPIENT'],
  ]
}

describe('a recipient that would keep the money for good', () => {
  const LOOKED_UP: Address = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
  const REMOVED: Address = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

  beforeAll(async () => {
    const source = { source: 'chain', sourceId: LOOKED_UP, symbol: 'FOO', name: 'Foo', decimals: 18 }
    const more = { logoUrl: null, externalUrl: null, totalSupply: null, wasHidden: false }
    const { pool } = service.database
    await recordTokenSources(pool, [{ chainId: 31_337, address: LOOKED_UP, ...source, ...more }], 'public')
    await pool.query(sql.typeAlias('void')`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool, asset, scope)
      values (31337, '0x01', 1000, 1, now(), '0x02', 'pool-registered',
        ${service.parts.chains[0]!.relayer!.entrypoint}, ${REMOVED}, ${NATIVE_ASSET}, 1)`)
  })

  test('gets no quote, whichever token is withdrawn', async () => {
    const stored: ReturnType<typeof lostRecipients> = [
      ['a token that somebody looked up', LOOKED_UP, 'TOKEN_CONTRACT_RECIPIENT'],
      ['a pool that was removed', REMOVED, 'SERVICE_CONTRACT_RECIPIENT'],
    ]
    for (const { asset, decimals } of service.parts.chains[0]!.relayer!.assets)
      for (const [name, recipient, code] of [...lostRecipients(), ...stored]) {
        const amount = String(10n ** BigInt(decimals + 3))
        expect(await quote({ asset, amount, recipient }), name).toMatchObject({
          ...badRequest,
          body: { ...badRequest.body, code },
        })
      }
  })

  test('gets no relay with a commitment that was signed before its contract was known', async () => {
    for (const [name, recipient, code] of lostRecipients()) {
      const { withdrawal, scope, publicSignals, ...rest } = note(0)
      const { relayFeeBps, feeRecipient } = decodeRelayData(withdrawal.data)!
      const data = encodeRelayData({ recipient, feeRecipient, relayFeeBps })
      const changed = { ...withdrawal, data }
      const context = String(computeContext(changed, BigInt(scope)))
      const signals = [...publicSignals.slice(0, 7), context]
      const body = await relayBody({ ...rest, scope, withdrawal: changed, publicSignals: signals })
      expect(await post(service.url, '/relayer/request', body), name).toMatchObject({
        status: 200,
        body: { success: false, error: expect.stringMatching(`^RELAYER_COMMITMENT_REJECTED: .*${code}`) },
      })
    }
  })
})

describe('a request that is not well formed is a 400', () => {
  test.each<[string, (body: RelayBody) => unknown]>([
    ['malformed JSON', (body) => `${JSON.stringify(body)}}`],
    ['no body', () => ''],
    ['an array', (body) => [body]],
    ['an extra property', (body) => ({ ...body, extra: 1 })],
    [
      'an extra property of the commitment',
      (body) => ({ ...body, feeCommitment: { ...body.feeCommitment, tip: 1 } }),
    ],
    ['nine signals', (body) => ({ ...body, publicSignals: [...body.publicSignals, '1'] })],
    ['seven signals', (body) => ({ ...body, publicSignals: body.publicSignals.slice(1) })],
    [
      'a signal with a fraction',
      (body) => ({ ...body, publicSignals: [1.5, ...body.publicSignals.slice(1)] }),
    ],
    ['a proof without pi_c', (body) => ({ ...body, proof: { ...body.proof, pi_c: undefined } })],
    ['another protocol', (body) => ({ ...body, proof: { ...body.proof, protocol: 'plonk' } })],
    ['a scope with an exponent', (body) => ({ ...body, scope: '1e6' })],
  ])('%s', async (_, change) => {
    expect(await requestWith(change)).toMatchObject(badRequest)
  })
})

describe('a well-formed request is refused with its own code when it has', () => {
  const proofWith =
    (change: (proof: { pi_a: string[]; pi_b: string[][]; pi_c: string[] }) => void) => (body: RelayBody) => {
      const proof = structuredClone(body.proof) as unknown as {
        pi_a: string[]
        pi_b: string[][]
        pi_c: string[]
      }
      change(proof)
      return { ...body, proof }
    }
  const signalsWith = (index: number, value: (old: bigint) => bigint) => (body: RelayBody) => ({
    ...body,
    publicSignals: body.publicSignals.map((signal, at) =>
      at === index ? value(BigInt(signal)).toString() : signal,
    ),
  })

  test.each<[string, string, (body: RelayBody) => unknown]>([
    ['an unknown chain', 'CHAIN_NOT_SUPPORTED', (body) => ({ ...body, chainId: 5 })],
    ['an unknown scope', 'UNKNOWN_SCOPE', (body) => ({ ...body, scope: '12345' })],
    ['a scope beyond the field', 'UNKNOWN_SCOPE', (body) => ({ ...body, scope: '9'.repeat(77) })],
    [
      'a coordinate of q or more',
      'INVALID_PROOF',
      proofWith((proof) => (proof.pi_a[0] = (BigInt(proof.pi_a[0]!) + Q).toString())),
    ],
    ['z that is not 1', 'INVALID_PROOF', proofWith((proof) => (proof.pi_a[2] = '2'))],
    [
      'a rescaled point, which snarkjs accepts',
      'INVALID_PROOF',
      proofWith((proof) => {
        proof.pi_a = [
          ((BigInt(proof.pi_a[0]!) * 4n) % Q).toString(),
          ((BigInt(proof.pi_a[1]!) * 8n) % Q).toString(),
          '2',
        ]
      }),
    ],
    ['a point off the curve', 'INVALID_PROOF', proofWith((proof) => (proof.pi_c = ['1', '3', '1']))],
    ['the point at infinity', 'INVALID_PROOF', proofWith((proof) => (proof.pi_c = ['0', '1', '0']))],
    ['a point of the twist outside G2', 'INVALID_PROOF', proofWith((proof) => (proof.pi_b = TWIST_POINT))],
    ['another proof’s points', 'INVALID_PROOF', proofWith((proof) => (proof.pi_a = [...note(1).proof.pi_a]))],
    ['a changed commitment signal', 'INVALID_PROOF', signalsWith(0, (old) => old + 1n)],
    ['a changed nullifier', 'INVALID_PROOF', signalsWith(1, (old) => old + 1n)],
    ['a withdrawn value that is too low', 'INSUFFICIENT_WITHDRAWN_VALUE', signalsWith(2, (old) => old - 1n)],
    ['an unknown state root', 'UNKNOWN_STATE_ROOT', signalsWith(3, (old) => old + 1n)],
    ['a superseded ASP root', 'INCORRECT_ASP_ROOT', signalsWith(5, (old) => old + 1n)],
    ['another context', 'CONTEXT_MISMATCH', signalsWith(7, (old) => old + 1n)],
    [
      'another processooor',
      'PROCESSOOOR_MISMATCH',
      (body) => ({
        ...body,
        withdrawal: { ...body.withdrawal, processooor: '0x000000000000000000000000000000000000bEEF' },
      }),
    ],
    [
      'a swapped recipient',
      'RELAYER_COMMITMENT_REJECTED',
      (body) => ({ ...body, withdrawal: { ...body.withdrawal, data: note(1).withdrawal.data } }),
    ],
    [
      'a signature of something else',
      'RELAYER_COMMITMENT_REJECTED',
      (body) => ({ ...body, feeCommitment: { ...body.feeCommitment, amount: '1' } }),
    ],
    [
      'a truncated signature',
      'RELAYER_COMMITMENT_REJECTED',
      (body) => ({ ...body, feeCommitment: { ...body.feeCommitment, signedRelayerCommitment: '0x1234' } }),
    ],
  ])('%s: %s', async (_, code, change) => {
    expect(await requestWith(change)).toMatchObject(refusal(code))
  })

  test('an expired commitment', async () => {
    const body = await relayBody(note(0), { expiration: Date.now() - 1 })
    expect(await post(service.url, '/relayer/request', body)).toMatchObject(
      refusal('RELAYER_COMMITMENT_EXPIRED'),
    )
  })

  test('a commitment by another relayer', async () => {
    const { feeCommitment: _, ...body } = await relayBody(note(0))
    const foreign = await commitTo(termsOf(note(0)), 31_337, generatePrivateKey())
    expect(await post(service.url, '/relayer/request', { ...body, feeCommitment: foreign })).toMatchObject(
      refusal('RELAYER_COMMITMENT_REJECTED'),
    )
  })

  test('a commitment for another asset', async () => {
    const body = await relayBody(note(0), { asset: service.parts.chains[0]!.relayer!.assets[1]!.asset })
    expect(await post(service.url, '/relayer/request', body)).toMatchObject(refusal('ASSET_NOT_SUPPORTED'))
  })

  test('a fee that pays somebody else', async () => {
    const data = encodeRelayData({
      recipient: note(0).recipient,
      feeRecipient: privateKeyToAccount(generatePrivateKey()).address,
      relayFeeBps: 100n,
    })
    const body = await relayBody({ ...note(0), withdrawal: { ...note(0).withdrawal, data } })
    expect(await post(service.url, '/relayer/request', body)).toMatchObject(refusal('FEE_RECEIVER_MISMATCH'))
  })
})

describe('one note', () => {
  test('is relayed although forgers tried before, and is refused once it is spent', async () => {
    const vector = note(2)
    const forged = await relayBody({ ...vector, proof: note(3).proof })
    expect(await post(service.url, '/relayer/request', forged)).toMatchObject(refusal('INVALID_PROOF'))

    const terms = termsOf(vector)
    const first = await post(service.url, '/relayer/request', await relayBody(vector, terms))
    expect(first).toMatchObject({ status: 200, body: { success: true } })
    await untilFinal(service.url, first.body['requestId'] as string)
    // The fee commitment may be used again; the note may not, but the same withdrawal gets its first answer again.
    const again = await post(service.url, '/relayer/request', await relayBody(vector, terms))
    expect(again.body).toMatchObject({ success: true, txHash: first.body['txHash'] })

    const [other] = vectors.relays.slice(3)
    const spentElsewhere = await relayBody(other!)
    const signals = [...spentElsewhere.publicSignals]
    signals[1] = vector.publicSignals[1]!
    expect(
      await post(service.url, '/relayer/request', { ...spentElsewhere, publicSignals: signals }),
    ).toMatchObject(refusal('NULLIFIER_ALREADY_SPENT'))
  })
})

test('a keep-alive connection stays usable after a body of 10 MB and malformed bodies', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<number | undefined>()
  const send = (body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(
        `${service.url}/relayer/request`,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode))
        },
      )
      sent.on('socket', (socket) => socket.once('connect', () => undefined) && sockets.add(socket.localPort))
      sent.on('error', reject)
      sent.end(body)
    })
  try {
    expect(await send('{}')).toBe(400)
    expect(await send(`{"a":"${'x'.repeat(10_000_000)}"}`)).toBe(413)
    expect(await send('{"a":')).toBe(400)
    expect(await send('[]')).toBe(400)
    sockets.delete(undefined)
    expect(sockets.size).toBe(1)
  } finally {
    agent.destroy()
  }
})
