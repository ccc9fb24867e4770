import { describe, expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { call, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { TX_HASH } from '../memory-withdrawals.ts'
import { sampleQuoteBody, sampleRequestBody } from '../sample-withdrawal.ts'

describe('GET /relayer/details', () => {
  it('answers exactly the members of the contract', async () => {
    const { url } = await openGateway()
    const answer = await call(`${url}/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET.toLowerCase()}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.json).toEqual({
      feeBPS: '10',
      feeReceiverAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      chainId: 1,
      assetAddress: NATIVE_ASSET,
      minWithdrawAmount: '10000000000000000',
      maxGasPrice: '50000000000',
    })
  })

  it.each([
    ['', 'query.chainId: is required (number); query.assetAddress: is required (string)'],
    ['?chainId=one&assetAddress=0x1', 'query.chainId: expected number'],
    ['?chainId=1.5&assetAddress=0x1', 'query.chainId: expected int'],
    ['?chainId=-1&assetAddress=0x1', 'query.chainId: expected more than 0'],
    ['?chainId=1&chainId=2&assetAddress=0x1', 'query.chainId: is given more than once'],
    [
      `?chainId=1&assetAddress=${NATIVE_ASSET.replace('0xE', '0xe')}`,
      'query.assetAddress: expected an address with a right EIP-55 checksum, or all lower case',
    ],
  ])('refuses %j and names the offending member', async (query, message) => {
    const { url } = await openGateway()
    const answer = await call(`${url}/relayer/details${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'Bad request', code: 'BAD_REQUEST' })
    expect(answer.json?.['message']).toContain(message)
  })

  it('passes a refusal of the service on with its code', async () => {
    const { url } = await openGateway()
    const answer = await call(`${url}/relayer/details?chainId=5&assetAddress=${NATIVE_ASSET}`)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      error: 'Bad request',
      message: 'Chain not served',
      code: 'CHAIN_NOT_SUPPORTED',
    })
  })
})

describe('POST /relayer/quote', () => {
  it('answers amounts as decimal strings and omits inapplicable members', async () => {
    const { url } = await openGateway()
    const answer = await post(`${url}/relayer/quote`, sampleQuoteBody)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      baseFeeBPS: '10',
      feeBPS: '25',
      gasPrice: '1500000000',
      feeCommitment: sampleRequestBody.feeCommitment,
      detail: { relayTxCost: { gas: '650000', eth: '975000000000000' } },
    })
  })

  it.each([
    [{ amount: 'abc' }, 'body.amount: expected an amount'],
    [{ amount: '-1' }, 'body.amount: expected an amount'],
    [{ amount: '1e80' }, 'body.amount: expected an amount'],
    [{ amount: `1${'0'.repeat(80)}` }, 'body.amount: expected an amount'],
    [{ amount: `9${'0'.repeat(77)}` }, 'body.amount: expected an amount below 2^256'],
    [{ amount: 2 ** 53 }, 'body.amount: expected string'],
    [{ amount: '1e6' }, 'body.amount: expected an amount'],
    [{ amount: '' }, 'body.amount: expected an amount'],
    [{ amount: ' 1' }, 'body.amount: expected an amount'],
    [{ amount: '0x' }, 'body.amount: expected an amount'],
    [{ amount: undefined }, 'body.amount: is required (string)'],
    [{ recipient: '0x1234' }, 'body.recipient: expected an address'],
    [{ extraGas: 'yes' }, 'body.extraGas: expected boolean'],
    [{ chainId: '1.0' }, 'body.chainId: expected number'],
    [{ chainId: '01' }, 'body.chainId: expected number'],
    [{ chainId: '-1' }, 'body.chainId: expected number'],
    [{ chainId: '0x20000000000001' }, 'body.chainId: expected number'],
    [{ surplus: 1 }, 'body: has members that are not allowed: "surplus"'],
  ])('refuses %j', async (change, message) => {
    const { url } = await openGateway()
    const answer = await post(`${url}/relayer/quote`, { ...sampleQuoteBody, ...change })
    expect(answer.status).toBe(400)
    expect(answer.json?.['message']).toContain(message)
  })
})

describe('POST /relayer/request', () => {
  it('hands the parsed body to the service and answers as it does', async () => {
    const { url, withdrawals } = await openGateway()
    const answer = await post(`${url}/relayer/request`, sampleRequestBody)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      success: true,
      timestamp: 1_700_000_000_000,
      requestId: 'request-1',
      txHash: TX_HASH,
    })
    expect(withdrawals.received).toHaveLength(1)
    expect(withdrawals.received[0]?.body.feeCommitment.amount).toBe(10n ** 18n)
    expect(withdrawals.received[0]?.clientAddress).toBe('127.0.0.1')
  })

  it('takes integers as numbers, decimal strings or 0x-hex', async () => {
    const { url, withdrawals } = await openGateway()
    const { feeCommitment, ...rest } = sampleRequestBody
    const amount = BigInt(feeCommitment.amount)
    const hex = (value: string | number | bigint) => `0x${BigInt(value).toString(16)}`
    for (const change of [
      { chainId: '1' },
      { chainId: '0x1' },
      { scope: 99 },
      { scope: '0x63' },
      { publicSignals: [11, '12', '0xd', 14, '15', '16', '17', '18'] },
      { feeCommitment: { ...feeCommitment, amount: hex(amount) } },
      { feeCommitment: { ...feeCommitment, expiration: String(feeCommitment.expiration) } },
    ]) {
      const answer = await post(`${url}/relayer/request`, { feeCommitment, ...rest, ...change })
      expect(answer, JSON.stringify(change)).toMatchObject({ status: 200, json: { success: true } })
    }
    const [first, ...others] = withdrawals.received
    for (const { body } of others) expect(body).toEqual(first!.body)
    const quoted = await post(`${url}/relayer/quote`, { ...sampleQuoteBody, chainId: '0x1', amount: 1000 })
    expect(quoted.status).toBe(200)
    const details = (chainId: string) =>
      call(`${url}/relayer/details?chainId=${chainId}&assetAddress=${sampleQuoteBody.asset}`)
    for (const chainId of ['1', '0x1']) expect((await details(chainId)).status).toBe(200)
    for (const chainId of ['1.0', '01', '1e0', '0x', '', '+1', '%201'])
      expect([chainId, (await details(chainId)).status]).toEqual([chainId, 400])
  })

  it('takes a proof that names neither protocol nor curve as one of groth16 on bn128', async () => {
    const { url, withdrawals } = await openGateway()
    const { pi_a, pi_b, pi_c } = sampleRequestBody.proof
    const answer = await post(`${url}/relayer/request`, {
      ...sampleRequestBody,
      proof: { pi_a, pi_b, pi_c },
    })
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(withdrawals.received[0]?.body.proof).toEqual({
      pi_a,
      pi_b,
      pi_c,
      protocol: 'groth16',
      curve: 'bn128',
    })
  })

  it('answers a refusal with 200, success false and its code', async () => {
    const { url } = await openGateway()
    const answer = await post(`${url}/relayer/request`, { ...sampleRequestBody, chainId: 5 })
    expect(answer.status).toBe(200)
    expect(answer.json?.['success']).toBe(false)
    expect(answer.json?.['error']).toMatch(/^CHAIN_NOT_SUPPORTED: /)
    expect(answer.json).not.toHaveProperty('txHash')
  })

  const { proof, feeCommitment, withdrawal } = sampleRequestBody
  it.each<[string, Record<string, unknown>, string]>([
    ['nine signals', { publicSignals: Array(9).fill('1') }, 'body.publicSignals: expected exactly 8 items'],
    [
      'a signal that is no number',
      { publicSignals: Array(8).fill('0xg') },
      'body.publicSignals[0]: expected a string of',
    ],
    ['a short point', { proof: { ...proof, pi_a: ['1', '2'] } }, 'body.proof.pi_a: expected exactly 3 items'],
    [
      'a fractional coordinate',
      { proof: { ...proof, pi_c: [1.5, 2, 1] } },
      'body.proof.pi_c[0]: expected string',
    ],
    [
      'another protocol',
      { proof: { ...proof, protocol: 'plonk' } },
      'body.proof.protocol: expected "groth16"',
    ],
    ['another curve', { proof: { ...proof, curve: 'bls12381' } }, 'body.proof.curve: expected "bn128"'],
    ['no protocol but null', { proof: { ...proof, protocol: null } }, 'body.proof.protocol: expected'],
    [
      'a surplus in the proof',
      { proof: { ...proof, x: 1 } },
      'body.proof: has members that are not allowed: "x"',
    ],
    ['a surplus', { x: 1 }, 'body: has members that are not allowed: "x"'],
    ['odd hex', { withdrawal: { ...withdrawal, data: '0x123' } }, 'body.withdrawal.data: expected bytes'],
    [
      'a surplus in the commitment',
      { feeCommitment: { ...feeCommitment, x: 1 } },
      'body.feeCommitment: has members that are not allowed: "x"',
    ],
    ['no scope', { scope: undefined }, 'body.scope: is required (string)'],
  ])('refuses %s before the service sees it', async (_, change, message) => {
    const { url, withdrawals } = await openGateway()
    const answer = await post(`${url}/relayer/request`, { ...sampleRequestBody, ...change })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'Bad request', code: 'BAD_REQUEST' })
    expect(answer.json?.['message']).toContain(message)
    expect(withdrawals.received).toHaveLength(0)
  })

  it.each([undefined, 'null', '[]', '"text"', '7'])('refuses %j as a body', async (body) => {
    const { url } = await openGateway()
    const answer = await call(`${url}/relayer/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    expect(answer.status).toBe(400)
    expect(answer.json?.['message']).toMatch(/^body: /)
  })
})

describe('GET /relayer/request/{requestId}', () => {
  it('reports the progress of a request', async () => {
    const { url, withdrawals } = await openGateway()
    await post(`${url}/relayer/request`, sampleRequestBody)
    withdrawals.advance('request-1', { status: 'failed', error: 'TRANSACTION_ERROR: reverted' })
    const answer = await call(`${url}/relayer/request/request-1/`)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      requestId: 'request-1',
      status: 'failed',
      chainId: 1,
      txHash: TX_HASH,
      error: 'TRANSACTION_ERROR: reverted',
      updatedAt: 1_700_000_000_000,
    })
  })

  it('answers 404 for a request that it does not know', async () => {
    const { url } = await openGateway()
    const answer = await call(`${url}/relayer/request/nobody`)
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({ error: 'Not found', message: 'No request has that requestId' })
  })
})
