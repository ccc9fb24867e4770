import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openClient } from '../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'

const run = promisify(execFile)
/** A wallet's project has its own graphql, which is older than the service's, and the newest tools that run on it. */
const PACKAGES = [
  'graphql@16.15.0',
  '@apollo/client@4.3.8',
  'rxjs@7.8.2',
  'graphql-ws@6.4.2',
  '@graphql-codegen/cli@7.4.3',
  '@graphql-codegen/client-preset@6.2.0',
  'typescript@5.9.3',
  'graphql-http@1.23.1',
]

let folder: string
let service: TestService

const write = (file: string, text: string) => writeFile(join(folder, file), text)
const runIn = (program: string, ...args: string[]) =>
  run(process.execPath, [join(folder, 'node_modules', program), ...args], { cwd: folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graphql-clients-'))
  await write('package.json', '{"private":true,"type":"module"}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder })
  await mkdir(join(folder, 'src'))
  service = await startTestService()
}, 10 * 60_000)
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A directive is an error by itself if its line compiles. */
const PROJECT = `import { graphql } from './gql/gql.ts'
import type { HomeQuery, QuoteRequestInput } from './gql/graphql.ts'
export const home = graphql(\`query Home { viewer { account { id
  balances(first: 5) { edges { node { id available } } }
  activities(first: 5) { edges { node { id state ... on SwapActivity { swap { destAmount } } } } }
} } }\`)
export const create = graphql(\`mutation Create($id: UUID!, $input: QuoteRequestInput!) {
  createQuote(accountId: $id, input: $input) {
    quote { id signedPayload } errors { code ... on InsufficientBalanceError { available } }
  }
}\`)
export const available = (data: HomeQuery): string[] =>
  data.viewer?.account?.balances?.edges.map(({ node }) => node.available) ?? []
export const right: QuoteRequestInput = {
  send: { chainId: 1, token: '0x', destinationAddress: 'alice.eth', amount: '1' },
}
// @ts-expect-error a payment needs a destination
export const nobody: QuoteRequestInput = { send: { chainId: 1, token: '0x', amount: '1' } }
const send = { chainId: 1, token: '0x', destinationAddress: 'alice.eth', amount: '1' }
const swap = { chainId: 1, tokenIn: '0x', tokenOut: '0x', amountIn: '1' }
// @ts-expect-error a quote is of one kind
export const both: QuoteRequestInput = { send, swap }
// @ts-expect-error the state is an enum
export const state = (data: HomeQuery) => data.viewer?.account?.activities?.edges[0]?.node.state === 'done'
`

test('graphql-codegen on graphql 16 makes types from the running service, which refuse wrong inputs', async () => {
  await write('src/project.ts', PROJECT)
  const config = {
    // Its question about the schema leaves out `@oneOf` unless it is asked for.
    schema: [{ [`${service.url}/graphql`]: { oneOf: true } }],
    documents: 'src/*.ts',
    generates: {
      './src/gql/': {
        preset: 'client',
        config: {
          useTypeImports: true,
          enumsAsTypes: true,
          importExtension: '.ts',
          defaultScalarType: 'string',
          scalars: { SafeInt: 'number', JSON: 'unknown' },
        },
      },
    },
  }
  await write('codegen.json', JSON.stringify(config))
  await runIn('@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.json')
  const options = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      types: [],
      allowImportingTsExtensions: true,
    },
    include: ['src'],
  }
  await write('tsconfig.json', JSON.stringify(options))
  const compiled = await runIn('typescript/bin/tsc', '-p', '.').then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  )
  expect(compiled).toBe('')
})

const APOLLO = `import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, version } from 'graphql'
import { createClient } from 'graphql-ws'
export { gql, version }
export function open(url, token) {
  const authorization = \`Bearer \${token}\`
  const http = new HttpLink({ uri: \`\${url}/graphql\`, headers: { authorization } })
  const sockets = createClient({ url: \`\${url.replace('http', 'ws')}/graphql\`, connectionParams: { authorization } })
  const isSubscription = ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION
  return new ApolloClient({
    link: ApolloLink.split(isSubscription, new GraphQLWsLink(sockets), http),
    cache: new InMemoryCache({
      possibleTypes: { AccountEvent: ['BalanceChanged', 'ActivityChanged', 'ResyncRequired', 'ReviewChanged'] },
      typePolicies: {
        Account: { fields: { activities: relayStylePagination() } },
        Subscription: { fields: { accountEvents: { merge: false } } },
      },
    }),
  })
}
`

interface Money {
  viewer: {
    account: {
      balances: { edges: { node: { available: string } }[] }
      activities: {
        edges: { node: { amount: string } }[]
        pageInfo: { hasNextPage: boolean; endCursor: string }
      }
    }
  }
}

/** The parts of Apollo Client that the test uses. */
interface Apollo {
  version: string
  gql(text: TemplateStringsArray): unknown
  open(url: string, token: string): ApolloCache
}
interface ApolloCache {
  watchQuery(options: object): {
    subscribe(next: (result: { data?: Money }) => void): { unsubscribe(): void }
    fetchMore(options: object): Promise<unknown>
    getCurrentResult(): { data?: Money }
  }
  subscribe(options: object): { subscribe(next: () => void): { unsubscribe(): void } }
  stop(): void
}

test('Apollo Client on graphql 16 pages, and its screen follows the events of the account by their ids', async () => {
  await write('src/apollo.mjs', APOLLO)
  const { version, gql, open } = (await import(pathToFileURL(join(folder, 'src/apollo.mjs')).href)) as Apollo
  expect(version).toBe('16.15.0')
  const client = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const payer = await openPayer(service, 7)
  const { address } = await client.receive()
  for (const amount of [1n, 2n]) await payer.payNative(address, amount)
  await waitUntilIndexed(service, payer)

  const warn = vi.spyOn(console, 'warn')
  const fail = vi.spyOn(console, 'error')
  onTestFinished(() => void vi.restoreAllMocks())
  const apollo = open(service.url, client.token)
  const home = apollo.watchQuery({
    query: gql`
      query Home($after: String) {
        viewer {
          id
          account {
            id
            balances(first: 50) {
              edges {
                node {
                  id
                  available
                }
              }
            }
            activities(first: 1, after: $after) {
              edges {
                cursor
                node {
                  id
                  amount
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
    `,
  })
  const shown = () => home.getCurrentResult().data?.viewer.account
  const available = () => shown()?.balances.edges.map(({ node }) => node.available)
  const amounts = () => shown()?.activities.edges.map(({ node }) => node.amount)
  const watching = home.subscribe(() => {})
  await expect.poll(available).toEqual(['3'])
  expect(amounts()).toEqual(['2'])
  await home.fetchMore({ variables: { after: shown()?.activities.pageInfo.endCursor } })
  await expect.poll(amounts).toEqual(['2', '1'])

  const started = Promise.withResolvers<void>()
  const events = apollo
    .subscribe({
      query: gql`
        subscription {
          accountEvents {
            cursor
            ... on BalanceChanged {
              balance {
                id
                available
              }
            }
          }
        }
      `,
    })
    .subscribe(() => started.resolve())
  await started.promise
  await payer.payNative(address, 4n)
  await expect.poll(available).toEqual(['7'])
  expect([...warn.mock.calls, ...fail.mock.calls]).toEqual([])
  events.unsubscribe()
  watching.unsubscribe()
  apollo.stop()
})

test('the audit of GraphQL over HTTP finds what it found before', async () => {
  await write('src/audit.mjs', `export { auditServer } from 'graphql-http'\n`)
  const { auditServer } = (await import(pathToFileURL(join(folder, 'src/audit.mjs')).href)) as {
    auditServer(options: object): Promise<{ name: string; status: string }[]>
  }
  const results = await auditServer({ url: `${service.url}/graphql` })
  const failed = results.filter(({ status }) => status !== 'ok').map(({ name }) => name)
  expect(results.length - failed.length).toBeGreaterThanOrEqual(59)
})
