import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openClient } from '../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { subscribe } from '../harness/subscribe.ts'

const run = promisify(execFile)
/** Relay's own compiler is 118 MB, so it is fetched for this test and is no package of the project. */
const RELAY = [
  ...['relay-compiler', 'relay-runtime', 'react-relay'].map((name) => `${name}@21.0.1`),
  ...['react', 'react-test-renderer'].map((name) => `${name}@19.3.1`),
]
const SCHEMA = resolve(import.meta.dirname, '../../schema/printed/schema.graphql')

const DOCUMENTS = `const { graphql } = require('relay-runtime')
graphql\`
  query homeQuery($count: Int!, $cursor: String) { viewer { account { id ...home_account } } }
\`
graphql\`
  fragment home_account on Account @refetchable(queryName: "homeMoreQuery") {
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

/** A screen by the hooks of react-relay; `show` receives what it shows and how to load more. */
const SCREEN = `const { createElement: e, Suspense, useMemo } = require('react')
const { RelayEnvironmentProvider, useLazyLoadQuery, usePaginationFragment, useSubscription } = require('react-relay')
const { create } = require('react-test-renderer')
const artifact = (name) => require('./__generated__/' + name + '.graphql.js')

function Home({ show, started }) {
  const { viewer } = useLazyLoadQuery(artifact('homeQuery'), { count: 1, cursor: null })
  const { data, loadNext, hasNext } = usePaginationFragment(artifact('home_account'), viewer.account)
  useSubscription(useMemo(
    () => ({ subscription: artifact('homeEventsSubscription'), variables: {}, onNext: started }),
    [started],
  ))
  show({
    available: data.balances.edges.map(({ node }) => node.available),
    amounts: data.activities.edges.map(({ node }) => node.amount),
    hasNext,
    loadNext,
  })
  return null
}

exports.open = async (environment, show, started) => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false
  const home = e(Suspense, { fallback: null }, e(Home, { show, started }))
  const root = create(e(RelayEnvironmentProvider, { environment }, home))
  return () => root.unmount()
}
`

let folder: string
let service: TestService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-'))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...RELAY], { cwd: folder })
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'home.js'), DOCUMENTS)
  await writeFile(join(folder, 'src', 'screen.js'), SCREEN)
  const config = { src: './src', schema: SCHEMA, language: 'javascript', eagerEsModules: false }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
  service = await startTestService()
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The parts of relay-runtime that the test uses. */
interface Runtime {
  Environment: new (options: object) => object
  Network: { create(fetch: unknown, subscribe: unknown): unknown }
  Store: new (source: unknown) => unknown
  RecordSource: new () => unknown
  Observable: {
    create(source: (sink: { next(value: unknown): void; error(error: unknown): void }) => () => void): unknown
  }
}

interface Shown {
  available: string[]
  amounts: string[]
  hasNext: boolean
  loadNext(count: number): void
}

interface Screen {
  open(environment: object, show: (shown: Shown) => void, started: () => void): Promise<() => void>
}

test('Relay compiles a connection, and an event of the account changes what a screen of react-relay shows', async () => {
  const compiled = await run(process.execPath, [join(folder, 'node_modules/relay-compiler/cli.js')], {
    cwd: folder,
  })
  expect(compiled.stderr + compiled.stdout).not.toContain('ERROR')
  const load = createRequire(join(folder, 'src', 'home.js'))
  const relay = load('relay-runtime') as Runtime
  const screen = load('./screen.js') as Screen

  const client = await openClient({
    url: service.url,
    spendKey: generatePrivateKey(),
    viewKey: generatePrivateKey(),
  })
  const payer = await openPayer(service, 7)
  const { address } = await client.receive()
  for (const amount of [1n, 2n]) await payer.payNative(address, amount)
  await waitUntilIndexed(service, payer)

  const ask = ({ text: query }: { text: string }, variables: object) =>
    client.ask('POST', '/graphql', { query, variables })
  const left = Promise.withResolvers<void>()
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
        left.resolve()
        void streaming.then((stream) => stream.leave())
      }
    })
  const environment = new relay.Environment({
    network: relay.Network.create(ask, follow),
    store: new relay.Store(new relay.RecordSource()),
  })
  let shown: Shown | undefined
  const started = Promise.withResolvers<void>()
  const close = await screen.open(environment, (now) => (shown = now), started.resolve)
  onTestFinished(async () => {
    close()
    await left.promise
  })
  await expect.poll(() => shown).toMatchObject({ available: ['3'], amounts: ['2'], hasNext: true })
  shown?.loadNext(1)
  await expect.poll(() => shown).toMatchObject({ amounts: ['2', '1'], hasNext: false })
  await started.promise
  await payer.payNative(address, 4n)
  await expect.poll(() => shown?.available).toEqual(['7'])
})
