import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { subscribe } from '../harness/subscribe.ts'

const run = promisify(execFile)
/** Relay's own compiler is 118 MB, so it is fetched for this test and is no package of the project. */
const RELAY = ['relay-compiler@21.0.1', 'relay-runtime@21.0.1']
const SCHEMA = resolve(import.meta.dirname, '../../schema/printed/schema.graphql')

const DOCUMENTS = `const { graphql } = require('relay-runtime')
graphql\`
  query homeQuery($count: Int!, $cursor: String) { viewer { account { id ...home_account } } }
\`
graphql\`
  fragment home_account on Account {
    balances(first: 50) { edges { node { id available token { symbol } } } }
    activities(first: $count, after: $cursor) @connection(key: "home_activities") {
      edges { node { __typename id kind amount } }
    }
  }
\`
graphql\`
  subscription homeEventsSubscription {
    accountEvents {
      __typename
      ... on BalanceChanged { balance { id available } }
      ... on ActivityChanged { activity { id kind amount } }
    }
  }
\`
`

let folder: string
let service: TestService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-'))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...RELAY], { cwd: folder })
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'home.js'), DOCUMENTS)
  const config = { src: './src', schema: SCHEMA, language: 'javascript' }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
  service = await startTestService()
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The parts of relay-runtime that the test uses. */
interface Runtime {
  Environment: new (options: object) => {
    lookup(selector: unknown): { data: Record<string, unknown> }
    retain(operation: unknown): void
  }
  Network: { create(fetch: unknown, subscribe: unknown): unknown }
  Store: new (source: unknown) => unknown
  RecordSource: new () => unknown
  Observable: {
    create(source: (sink: { next(value: unknown): void; error(error: unknown): void }) => () => void): unknown
  }
  createOperationDescriptor(request: unknown, variables: object): { fragment: unknown }
  fetchQuery(environment: unknown, query: unknown, variables: object): { toPromise(): Promise<unknown> }
  getSingularSelector(fragment: unknown, reference: unknown): unknown
  requestSubscription(environment: unknown, config: object): { dispose(): void }
}

interface HomeAccount {
  balances: { edges: { node: { available: string } }[] }
  activities: { edges: { node: { __typename: string; amount: string } }[] }
}

test('Relay compiles a connection, and an event of the account changes what its screen shows', async () => {
  const compiled = await run(process.execPath, [join(folder, 'node_modules/relay-compiler/cli.js')], {
    cwd: folder,
  })
  expect(compiled.stderr + compiled.stdout).not.toContain('ERROR')
  const load = createRequire(join(folder, 'src', 'home.js'))
  const relay = load('relay-runtime') as Runtime
  const artifact = (name: string): unknown =>
    (load(`./__generated__/${name}.graphql.js`) as { default: unknown }).default

  const client = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const payer = await openPayer(service, 7)
  const { address } = await client.receive()
  await payer.payNative(address, 3n)
  await waitUntilIndexed(service, payer)

  const ask = ({ text: query }: { text: string }, variables: object) =>
    client.ask('POST', '/graphql', { query, variables })
  const follow = ({ text: query }: { text: string }) =>
    relay.Observable.create((sink) => {
      const streaming = subscribe(service.url, query, client.token)
      const read = async () => {
        const stream = await streaming
        for (;;) sink.next(await stream.next())
      }
      let isLeft = false
      read().catch((error: unknown) => (isLeft ? undefined : sink.error(error)))
      return () => {
        isLeft = true
        void streaming.then((stream) => stream.leave())
      }
    })
  const environment = new relay.Environment({
    network: relay.Network.create(ask, follow),
    store: new relay.Store(new relay.RecordSource()),
  })
  const variables = { count: 10, cursor: null }
  const operation = relay.createOperationDescriptor(artifact('homeQuery'), variables)
  environment.retain(operation)
  await relay.fetchQuery(environment, artifact('homeQuery'), variables).toPromise()
  const show = () => {
    const { viewer } = environment.lookup(operation.fragment).data as { viewer: { account: object } }
    const selector = relay.getSingularSelector(artifact('home_account'), viewer.account)
    return environment.lookup(selector).data as unknown as HomeAccount
  }
  expect(show().balances.edges.map(({ node }) => node.available)).toEqual(['3'])
  expect(show().activities.edges.map(({ node }) => node)).toMatchObject([
    { __typename: 'ReceiveActivity', amount: '3' },
  ])
  const started = Promise.withResolvers<void>()
  const subscription = relay.requestSubscription(environment, {
    subscription: artifact('homeEventsSubscription'),
    variables: {},
    onNext: () => started.resolve(),
    onError: () => {},
  })
  await started.promise
  await payer.payNative(address, 4n)
  await expect.poll(() => show().balances.edges.map(({ node }) => node.available)).toEqual(['7'])
  subscription.dispose()
})
