import { expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'
import { sampleQuoteBody, sampleRequestBody } from '../sample-withdrawal.ts'

const FEE_COMMITMENT = 'expiration withdrawalData asset amount extraGas signedRelayerCommitment'
const COST = '{ gas eth }'

/** GraphQL answers null for members that REST omits. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member)))
}

it('GraphQL answers every relayer operation as REST does', async () => {
  const { url } = await openGateway()
  const rest = {
    relayerRequest: (await post(`${url}/relayer/request`, sampleRequestBody)).json,
    relayerDetails: (await call(`${url}/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET}`)).json,
    relayerQuote: (await post(`${url}/relayer/quote`, sampleQuoteBody)).json,
    relayerRequestStatus: (await call(`${url}/relayer/request/request-1`)).json,
  }
  const request = await graphql(
    url,
    `
      mutation ($input: RelayRequestInput!) {
        relayerRequest(input: $input) {
          success
          timestamp
          requestId
          txHash
          error
        }
      }
    `,
    { input: sampleRequestBody },
  )
  const queries = await graphql(
    url,
    `query ($asset: Address!, $input: RelayerQuoteRequestInput!) {
      relayerDetails(chainId: 1, assetAddress: $asset) {
        feeBPS feeReceiverAddress chainId assetAddress minWithdrawAmount maxGasPrice
      }
      relayerQuote(input: $input) {
        baseFeeBPS feeBPS gasPrice feeCommitment { ${FEE_COMMITMENT} }
        detail { relayTxCost ${COST} extraGasFundAmount ${COST} extraGasTxCost ${COST} }
      }
      relayerRequestStatus(requestId: "request-1") { requestId status chainId txHash error updatedAt }
    }`,
    { asset: NATIVE_ASSET, input: { ...sampleQuoteBody, extraGas: null } },
  )
  expect([request.errors, queries.errors]).toEqual([undefined, undefined])
  expect(withoutNulls({ ...request.data, ...queries.data })).toEqual(rest)
})

it.each([
  [
    '{ relayerDetails(chainId: 9, assetAddress: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE") { feeBPS } }',
    `/relayer/details?chainId=9&assetAddress=${NATIVE_ASSET}`,
  ],
  ['{ relayerRequestStatus(requestId: "nobody") { status } }', '/relayer/request/nobody'],
])('GraphQL refuses %s with the same message as REST', async (query, path) => {
  const { url } = await openGateway()
  const rest = await call(url + path)
  const { message, ...members } = rest.json ?? {}
  const answer = await graphql(url, query)
  expect(answer.errors).toMatchObject([{ message, extensions: { ...members, status: rest.status } }])
})

it('an error names arguments and members of the input where REST names query and body', async () => {
  const { url } = await openGateway()
  const bad = { ...sampleQuoteBody, recipient: 'nobody' }
  const rest = [
    await call(`${url}/relayer/details?chainId=0&assetAddress=x`),
    await post(`${url}/relayer/quote`, bad),
  ]
  expect(rest.map(({ json }) => json?.['message'])).toEqual([
    expect.stringMatching(/^query\.chainId: .*; query\.assetAddress: /),
    expect.stringMatching(/^body\.recipient: /),
  ])
  const asked = [
    await graphql(url, '{ relayerDetails(chainId: 0, assetAddress: "x") { feeBPS } }'),
    await graphql(
      url,
      'query ($input: RelayerQuoteRequestInput!) { relayerQuote(input: $input) { feeBPS } }',
      { input: bad },
    ),
  ]
  expect(asked.map(({ errors }) => errors?.[0]?.message)).toEqual([
    expect.stringMatching(/^chainId: .*; assetAddress: /),
    expect.stringMatching(/^input\.recipient: /),
  ])
})

it('an error that has no code of its own has that of its class', async () => {
  const { url } = await openGateway()
  const wrong = await call(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{ __typename }',
  })
  expect(wrong.json).toMatchObject({ errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] })
})

it('a value outside a closed set is refused where REST takes it for all', async () => {
  const { url } = await openGateway()
  for (const query of [
    '{ depositReview(accountId: "x", tab: NEEDS_REVIEW) { snapshotId } }',
    '{ depositReview(accountId: "x", tab: "needsReview") { snapshotId } }',
    '{ addresses(accountId: "x", activity: sometimes) { nextCursor } }',
  ])
    expect((await graphql(url, query)).errors).toMatchObject([
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ])
})
