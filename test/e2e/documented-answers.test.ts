import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../schema/define/operation.ts'
import { errorsOf, statusOf } from '../../schema/define/operation-errors.ts'
import { operations } from '../../schema/features.ts'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { findUndocumented } from '../harness/find-undocumented.ts'
import { askSample } from '../harness/ask-sample.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openClient, type Client } from '../../schema/client/account/open-client.ts'

const CHAIN = 31_337

let service: TestService
let client: Client
/** Inputs of an account with a history, by the name of the member. */
let known: Record<string, unknown>
/** Bodies whose members depend on each other, by the route. */
let bodies: Record<string, object>

beforeAll(async () => {
  service = await startTestService({
    devnet: { ports: [0], deterministic: true, asp: false, cash: true, chainIds: [CHAIN] },
    http: { trustedProxies: 1 },
  })
  const payer = await openPayer(service, 9)
  client = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const { address } = await client.receive()
  const token = payer.chain.tokens[0]!.address
  await payer.payNative(address, parseEther('1'))
  await payer.payToken(token, address, 5n)
  await waitUntilIndexed(service, payer)
  known = {
    accountId: client.accountId,
    chainId: CHAIN,
    token,
    address: token,
    assetAddress: payer.chain.pools[0]!.asset,
    destinationAddress: payer.wallet.account.address,
    name: 'somebody',
    selector: '0xa9059cbb',
    selectors: ['0xa9059cbb'],
    purpose: 'send',
  }
  bodies = {
    'POST /v1/simulate': {
      chainId: CHAIN,
      from: address,
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [token, 7n] }),
    },
  }
})
afterAll(() => service?.stop())

const ask = (operation: Operation) => askSample(service.url, operation, { client, known, bodies })

const queries = operations.filter(({ kind }) => kind === 'query')

test.each(queries.map((operation) => ({ rest: operation.rest, operation })))(
  '$rest answers with exactly the documented members',
  async ({ operation }) => {
    const { status, body } = await ask(operation)
    if (status !== operation.status) {
      // An answer that there is nothing counts too, if the contract documents it.
      const statuses = errorsOf(operation).map((error) => statusOf(error, operation))
      expect(statuses, JSON.stringify(body)).toContain(status)
      expect([400, 404]).toContain(status)
      return
    }
    expect(findUndocumented(operation.output, body)).toEqual([])
  },
)

test("the operator's chosen tokens are popular without data about trades", async () => {
  const answer = await fetch(`${service.url}/v1/tokens/popular?chainId=${CHAIN}`)
  const { tokens } = (await answer.json()) as { tokens: { symbol: string }[] }
  expect(tokens.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(['ETH', 'TUSD', 'TEUR']))
})

test('an account with a history gets answers, not refusals', async () => {
  const refused: string[] = []
  for (const operation of queries) {
    const { status } = await ask(operation)
    if (status !== operation.status) refused.push(operation.rest)
  }
  // Operations on things that this account does not have: a name, a referral, a relayed withdrawal, a quote.
  expect(refused.toSorted()).toEqual([
    'GET /ccip/{sender}/{callData}',
    'GET /relayer/request/{requestId}',
    'GET /v1/accounts/{accountId}/referrals/attribution',
    'GET /v1/accounts/{accountId}/relay-status/{quoteId}',
    'GET /v1/referrals/by-name/{name}/resolve',
    'GET /v1/referrals/{code}/preview',
    'POST /ccip',
    'POST /relayer/quote',
    'POST /v1/accounts/{accountId}/offramp-preview',
    'POST /v1/accounts/{accountId}/swap-preview',
  ])
})
