/**
 * How a client hears of payments while they come in: a GraphQL subscription over server-sent events.
 *
 *     node_modules/.bin/node test/e2e/examples/follow-balances.ts http://127.0.0.1:4000
 */
import { formatUnits, type Address } from 'viem'
import { openNewClient, type Client } from './client.ts'

export interface BalanceChange {
  chainId: number
  balance: {
    balances: {
      tokenAddress: Address
      tokenSymbol: string
      decimals: number
      available: string
      pending: string
    }[]
  }
}

const QUERY = `subscription Balances($accountId: ID!) {
  balanceChanged(accountId: $accountId) {
    chainId
    balance { balances { id tokenAddress tokenSymbol decimals available pending } }
  }
}`

/** The account's balances on a chain each time something moves there, until the signal is aborted. */
export async function* followBalances(client: Client, signal: AbortSignal): AsyncGenerator<BalanceChange> {
  const variables = { accountId: client.accountId }
  const answer = await fetch(`${client.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${client.token}`,
    },
    body: JSON.stringify({ query: QUERY, variables }),
    signal,
  })
  for await (const data of readEvents(answer)) {
    const result = JSON.parse(data) as { data?: { balanceChanged: BalanceChange }; errors?: unknown }
    if (!result.data) throw new Error(`balanceChanged: ${JSON.stringify(result.errors)}`)
    yield result.data.balanceChanged
  }
}

/** The data of each server-sent event. */
async function* readEvents(answer: Response): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (data) yield data
    }
  }
}

if (import.meta.main) {
  const client = await openNewClient({ url: process.argv[2] ?? 'http://127.0.0.1:4000' })
  const { address } = await client.receive()
  console.log(`Pay something to ${address}, and it shows up here.`)
  for await (const { chainId, balance } of followBalances(client, AbortSignal.timeout(600_000)))
    for (const { tokenSymbol, decimals, available } of balance.balances)
      console.log(`chain ${chainId}: ${formatUnits(BigInt(available), decimals)} ${tokenSymbol}`)
}
