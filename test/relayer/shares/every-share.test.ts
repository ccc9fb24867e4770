import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { shareProving } from '../../../gateway/compose/foundations.ts'
import { persistedDocuments } from '../../../gateway/graphql/persisted-documents.ts'
import { createBodyReader } from '../../../gateway/http/read-body.ts'
import { shareConnections } from '../../../gateway/http/share-connections.ts'
import { createCostlyTurns } from '../../../gateway/limits/fair-gate.ts'
import { createInFlightCap } from '../../../gateway/limits/in-flight-cap.ts'
import { createReadBudget } from '../../../gateway/pages/pool-read-budget.ts'
import { createUnwrittenBytes } from '../../../gateway/limits/unwritten-bytes.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { createVerifyBatcher } from '../../../proving/verify-batcher.ts'
import { keepForAccounts } from '../../../relayer/account/changes/keep-for-accounts.ts'
import { createVerifiedTokens } from '../../../relayer/identity/tokens.ts'
import { createClearSigning } from '../../../relayer/inspect/clear-signing/create-clear-signing.ts'
import { createEvmBudget } from '../../../relayer/inspect/simulation/limit-evm.ts'
import { createCoingeckoTokens } from '../../../relayer/market/prices/coingecko/describe-token.ts'
import { createSubscriptionLimit } from '../../../relayer/pool/relay/subscription-limit.ts'
import { forClient, type Client } from '../../../relayer/shares/client.ts'
import { loadProofs } from '../../proving/groth16/load-proofs.ts'

const root = join(import.meta.dirname, '../../..')
const readme = readFileSync(join(root, 'relayer/shares/README.md'), 'utf8')
const rows = [...readme.matchAll(/^\| ([^|]+) \| `([^`|]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, what = '', where = '', whole = '', share = '', tested = '']) => ({ what, where, whole, share, tested }),
)

/** Something that clients share, as its test sees it. */
interface Shared {
  /** Takes a part that a client can get once; it may be refused, and it need not end. */
  draw(client: Client, count: number): unknown
  /** Whether another client has its share now. It may let others have theirs first. */
  isServed(honest: Client): Promise<boolean>
}

const HONEST: Client = { network: '127.0.0.1', account: 'honest' }
const MEBIBYTE = 1_024 * 1_024
const never = () => new Promise<never>(() => {})

/** Work that begins, and ends when the test says so; `begun` are the networks for which it has. */
function createWork() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    begin: (network: string) => {
      begun.push(network)
      return new Promise<null>((resolve) => ends.push(() => resolve(null)))
    },
    async endOne() {
      ends.shift()?.()
      for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    },
  }
}

/** For work done in turns: each other network has one at most before. */
async function isNext(work: ReturnType<typeof createWork>, ask: () => Promise<unknown>): Promise<boolean> {
  const before = work.begun.length
  const state = { isRefused: false }
  ask().catch(() => (state.isRefused = true))
  for (let turn = 0; turn < 105; turn += 1) {
    if (state.isRefused) return false
    if (work.begun.slice(before).includes(HONEST.network)) return true
    await work.endOne()
  }
  return false
}

const CASES: Record<string, () => Shared | Promise<Shared>> = {
  'costly reads': () => {
    const work = createWork()
    const turns = createCostlyTurns(512)
    const read = (network: string) => turns.run(() => work.begin(network))
    return {
      draw: ({ network }) => read(network).catch(() => null),
      isServed: async ({ network }) => isNext(work, () => read(network)),
    }
  },

  'unread bytes of answers': () => {
    const unwritten = createUnwrittenBytes(256 * MEBIBYTE, 32 * MEBIBYTE)
    const owe = (network: string) => unwritten.owe(network, MEBIBYTE, { destroy: () => {} })
    return {
      draw: ({ network }) => {
        try {
          owe(network)
        } catch {
          // It has its share.
        }
      },
      isServed: async ({ network }) => {
        owe(network)
        return unwritten.total() <= 256 * MEBIBYTE
      },
    }
  },

  "reads of pools for the wallet's page": () => {
    const budget = createReadBudget()
    return { draw: () => budget.draw(1), isServed: async () => budget.draw(1) }
  },

  'checked simulations': () => {
    const budget = createEvmBudget()
    const run = () =>
      budget.run(
        1_000_000n,
        async () => 'ran',
        () => 488,
      )
    return { draw: run, isServed: async () => (await run()) === 'ran' }
  },

  'lookups at the price provider': () => {
    const work = createWork()
    const describe = (network: string) =>
      createdFor(network).describe({ chainId: 1, address: '0x0000000000000000000000000000000000000001' })
    let asking = ''
    const tokens = createCoingeckoTokens(() => work.begin(asking), { platforms: {} } as never)
    const createdFor = (network: string) => ((asking = network), tokens)
    return {
      draw: ({ network }) => describe(network).catch(() => null),
      isServed: async ({ network }) => isNext(work, () => describe(network)),
    }
  },

  'contracts looked at': () => {
    const work = createWork()
    let place = 0
    let asking = ''
    const clearSigning = createClearSigning(
      () => ({ bound: () => [] }) as never,
      new Map([[1, { client: { getCode: () => work.begin(asking) } }]]) as never,
      {} as never,
    )
    const lookup = (network: string) => {
      asking = network
      place += 1
      return clearSigning.lookup({ kind: 'calldata', chainId: 1, address: `0x${place}` } as never)
    }
    return {
      draw: ({ network }) => lookup(network).catch(() => null),
      isServed: ({ network }) => isNext(work, () => lookup(network)),
    }
  },

  'simulations and derivations': () => {
    const work = createWork()
    const pool = { simulate: (network: never) => work.begin(network) } as unknown as ProvingPool
    const shared = shareProving(pool, { threads: 1, maxQueue: 1_024 })
    const simulate = (network: string) => shared.simulate(network as never)
    return {
      draw: ({ network }) => simulate(network).catch(() => null),
      isServed: ({ network }) => isNext(work, () => simulate(network)),
    }
  },

  'proofs waiting': () => {
    const work = createWork()
    const [proof] = loadProofs('withdraw')
    if (!proof) throw new Error('there is no proof')
    const batcher = createVerifyBatcher({
      threads: 1,
      maxBatch: 1,
      maxQueue: 1_024,
      runBatch: async () => (await work.begin(''), [{ valid: true }]),
    })
    const verify = (client: string) => batcher.verify({ ...proof, circuit: 'withdraw', client })
    return {
      draw: ({ network }) => verify(network).catch(() => null),
      async isServed({ network }) {
        const state: { isDone?: boolean } = {}
        verify(network).then(
          () => (state.isDone = true),
          () => (state.isDone = false),
        )
        // Each other network has one turn before.
        for (let turn = 0; turn < 105; turn += 1) {
          if (state.isDone !== undefined) return state.isDone
          await work.endOne()
        }
        return false
      },
    }
  },

  'requests in progress': () => {
    const cap = createInFlightCap(512, 64)
    return {
      draw: ({ network }) => cap.run(network, never).catch(() => null),
      isServed: ({ network }) => cap.run(network, async () => true).catch(() => false),
    }
  },

  'bodies that arrive': () => {
    const BODY = Buffer.alloc(18 * 1_024)
    const readBody = createBodyReader({ keep: 40_000, drain: 80_000, hold: 64 * 40_000 })
    const begin = () => {
      const request = Object.assign(new PassThrough(), { headers: {} })
      const read = readBody(request as never)
      read.catch(() => undefined)
      request.write(BODY)
      return { request, read }
    }
    return {
      draw: begin,
      async isServed() {
        await setImmediate()
        const { request, read } = begin()
        request.end()
        return (await read.catch(() => null))?.length === BODY.length
      },
    }
  },

  connections: async () => {
    const server: Server = createServer((_, response) => response.end('served'))
    shareConnections(server, 400, 32)
    server.maxConnections = 400
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const { port } = server.address() as AddressInfo
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return {
      async draw({ network }, count) {
        if (count >= 20) return
        const socket = connect({ port, host: '127.0.0.1', localAddress: network })
        sockets.push(socket)
        socket.on('error', () => undefined)
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
        // One that is refused is closed at once.
        await setImmediate()
      },
      isServed: ({ network }) =>
        new Promise((resolve) => {
          get({ port, host: '127.0.0.1', localAddress: network, agent: false }, (response) => {
            response.resume()
            resolve(response.statusCode === 200)
          }).on('error', () => resolve(false))
        }),
    }
  },

  'followed relays': () => {
    const limit = createSubscriptionLimit()
    const take = ({ network }: Client) => limit.take({ client: network, onLost: () => undefined })
    return {
      draw: (client) => {
        try {
          take(client)
        } catch {
          // It has all that it may have.
        }
      },
      isServed: async (client) => (take(client), true),
    }
  },

  'kept of accounts': () => {
    const kept = keepForAccounts<string>(6_000)
    let opened = 0
    forClient(HONEST, () => kept.keep('honest', 'what was worked out', 50))
    return {
      draw: ({ account }) => kept.keep(`${account} ${(opened += 1)}`, 'junk', 60),
      isServed: async () => kept.find('honest') !== null,
    }
  },

  'verified tokens': () => {
    const tokens = createVerifiedTokens()
    const verified = { claims: {} as never, keyId: 'key', expiresAt: Number.MAX_SAFE_INTEGER }
    forClient(HONEST, () => tokens.add('honest', verified))
    return {
      draw: (client, count) => {
        for (let more = 0; more < 10; more += 1)
          tokens.add(`${client.network} ${client.account} ${count} ${more}`, verified)
      },
      isServed: async () => tokens.find('honest') !== null,
    }
  },

  'persisted documents': () => {
    const { onParams } = persistedDocuments({ listed: new Map(), onlyListed: false })
    const send = (text: string, query: string | undefined) => {
      let found: string | undefined
      const sha256Hash = createHash('sha256').update(text).digest('hex')
      void onParams?.({
        params: { query, extensions: { persistedQuery: { version: 1, sha256Hash } } },
        setParams: (params: { query: string }) => (found = params.query),
      } as never)
      return found
    }
    forClient(HONEST, () => send('{ own }', '{ own }'))
    return {
      draw: ({ network, account }, count) => {
        const text = `{ a${count} } # ${network} ${account}`
        send(text, text)
      },
      isServed: async () => send('{ own }', undefined) === '{ own }',
    }
  },
}

const own = rows.filter(({ tested }) => tested === 'every-share')

test('every row of the table is tested: here, by the test that it names, or by that of places', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(own.map(({ what }) => what).toSorted()).toEqual(Object.keys(CASES).toSorted())
  for (const { what, where, tested } of rows) {
    expect([what, existsSync(join(root, where))]).toEqual([what, true])
    if (tested === 'every-share') continue
    if (tested === 'places') expect(readFileSync(join(root, where), 'utf8')).toContain('new SharedPlaces')
    else expect([what, existsSync(join(root, 'test', tested))]).toEqual([what, true])
  }
})

test('the README lists everything that divides something by this district, or forgets the oldest of something', () => {
  const files = ['relayer', 'gateway', 'db', 'proving'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('devnet/') && !file.startsWith('shares/'))
      .map((file) => `${room}/${file}`),
  )
  const divides =
    /create(?:Shared(?:Budget|Turns)|QuestionBudget)\(|new (?:SharedPlaces|Holdings)\b|(?<!\.)mostOf\(|\.keys\(\)\.next\(\)|\.size >=? ?(?:MOST|MAX|KEPT)\w*\)? \w+\.(?:clear|delete)/
  const dividing = files.filter((file) => divides.test(readFileSync(join(root, file), 'utf8')))
  expect(dividing.length).toBeGreaterThan(20)
  expect(dividing.filter((file) => !readme.includes(`\`${file}\``))).toEqual([])
})

test.each(
  own.flatMap(({ what }) => [
    { what, who: 'one client', networks: 1, accounts: 1 },
    { what, who: 'a hundred accounts of one network', networks: 1, accounts: 100 },
    { what, who: 'a hundred networks', networks: 100, accounts: 100 },
  ]),
)('$who cannot take $what from another client', async ({ what, networks, accounts }) => {
  const shared = await CASES[what]?.()
  if (!shared) throw new Error(`there is no case of ${what}`)
  for (let count = 0; count < (accounts === 1 ? 2_000 : 40); count += 1)
    for (let account = 0; account < accounts; account += 1) {
      const client = { network: `127.0.1.${1 + (account % networks)}`, account: `free ${account}` }
      const drawn = forClient(client, () => shared.draw(client, count))
      if (what === 'connections') await drawn
    }
  expect(await forClient(HONEST, () => shared.isServed(HONEST))).toBe(true)
})
