import { pino } from 'pino'
import { encodeFunctionData, namehash, parseAbi, type Address, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createNames,
  type NamesOptions,
  normalizeName,
} from '../../../../relayer/transact/ens/create-names.ts'
import { compileSource } from './compile-source.ts'
import { startNameWorld, type NameWorld, type OffchainRecords } from './start-name-world.ts'
import { startWebServer, type WebServer } from './start-web-server.ts'
import { isPublicAddress } from '../../../../relayer/transact/ens/fetch-public.ts'

const CHAIN = 31_337
const ALICE = '0x00000000000000000000000000000000000A11cE'
const ALICE_HERE = '0x0000000000000000000000000000000000A11ce1'
const PIXEL = 'data:image/png;base64,iVBORw0KGgo='

let world: NameWorld
let gateway: WebServer
const records: Record<string, OffchainRecords> = {
  'alice.stealth.eth': { address: ALICE, avatar: 'https://example.org/a.png' },
  'local.stealth.eth': {
    address: ALICE,
    coins: { [String((0x8000_0000 | CHAIN) >>> 0)]: ALICE_HERE },
    avatar: 'ipfs://bafy/picture.png',
  },
}
let lie: ((path: string) => Promise<{ status: number; body: string }>) | null = null

beforeAll(async () => {
  world = await startNameWorld()
  gateway = await startWebServer('127.0.0.1', (request, response) => {
    const path = request.url ?? ''
    const answer = lie
      ? lie(path)
      : world.answerLookup(path, (name) => records[name]).then((body) => ({ status: 200, body }))
    answer.then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await world.register(
    'stealth',
    await world.createOffchainResolver(`http://127.0.0.1:${gateway.port}/{sender}/{data}.json`),
  )
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await world.stop()
})

const open = (changes: Partial<NamesOptions> = {}) =>
  createNames({ chains: world.chains, own: null, logger: pino({ level: 'silent' }), ...changes })

async function whileLying(answer: NonNullable<typeof lie>, work: () => Promise<void>) {
  lie = answer
  try {
    await work()
  } finally {
    lie = null
  }
}

describe('names on chain', () => {
  it('resolve by the devnet’s registry, normalized', async () => {
    const expected = { name: 'client.eth', service: 'ens', address: world.client.address }
    expect(await open().resolve('client.eth', CHAIN, 'somebody')).toEqual(expected)
    expect(await open().resolve('CLIENT.eth', 1, 'somebody')).toEqual(expected)
  })

  it('are not found while unset', async () => {
    for (const name of ['nobody.eth', 'below.client.eth', 'client.other', 'eth', '', 'a..eth', 'client.eth.'])
      expect(await open().resolve(name, CHAIN, 'somebody'), name).toBe(null)
    await world.register('empty', world.names.resolver)
    expect(await open().resolve('empty.eth', CHAIN, 'somebody')).toBe(null)
    // The resolver is a contract without the functions of a resolver.
    await world.register('broken', world.names.registry)
    expect(await open().resolve('broken.eth', CHAIN, 'somebody')).toBe(null)
  })

  it('are not asked for on chains without a name service', async () => {
    expect(await open({ chains: new Map() }).resolve('client.eth', CHAIN, 'somebody')).toBe(null)
  })

  it('have avatars that are inline or on the web', async () => {
    const node = namehash('client.eth')
    const cases = [
      [PIXEL, PIXEL],
      ['https://example.org/a.png', 'https://example.org/a.png'],
      ['ipfs://ipfs/bafy', 'https://ipfs.io/ipfs/bafy'],
      ['http://example.org/a.png', null],
      ['javascript:alert(1)', null],
      ['data:text/html;base64,PHNjcmlwdD4=', null],
      ['data:image/svg+xml;base64,PHN2Zz4=', null],
      ['https://user:secret@example.org/a.png', null],
      ['eip155:1/erc721:0x0000000000000000000000000000000000000001/1', null],
      ['', null],
    ] as const
    for (const [record, avatar] of cases) {
      await world.set('setText', [node, 'avatar', record])
      expect(await open().avatar('client.eth'), record).toBe(avatar)
    }
  })
})

describe('a collectible as an avatar', () => {
  const metadata = (content: string) =>
    `data:application/json;base64,${Buffer.from(content).toString('base64')}`
  const compiled = compileSource(
    'Picture',
    `contract Picture {
      address public owner;
      string text;
      constructor(address given, string memory uri) { owner = given; text = uri; }
      function ownerOf(uint256) external view returns (address) { return owner; }
      function balanceOf(address who, uint256) external view returns (uint256) { return who == owner ? 1 : 0; }
      function tokenURI(uint256) external view returns (string memory) { return text; }
      function uri(uint256) external view returns (string memory) { return text; }
    }`,
  )
  async function avatarOf(standard: string, owner: Address, uri: string): Promise<string | null> {
    const contract = await world.create(compiled.abi, compiled.bytecode, [owner, uri])
    const record = `eip155:${CHAIN}/${standard}:${contract}/7`
    await world.set('setText', [namehash('client.eth'), 'avatar', record])
    return open().avatar('client.eth')
  }

  it.each(['erc721', 'erc1155'])("is shown if the name's owner holds it: %s", async (standard) => {
    const mine = metadata('{"image":"ipfs://bafy/{id}.png"}')
    expect(await avatarOf(standard, world.client.address, mine)).toBe(
      'https://ipfs.io/ipfs/bafy/%7Bid%7D.png',
    )
    expect(await avatarOf(standard, ALICE, mine)).toBe(null)
  })

  it('is shown from metadata in each form of a data URL', async () => {
    const json = '{"image":"https://example.org/a.png"}'
    const base64 = Buffer.from(json).toString('base64')
    for (const uri of [
      `data:application/json;base64,${base64}`,
      `data:application/json;utf8,${json}`,
      `data:application/json;charset=utf-8;base64,${base64}`,
      `data:application/json,${encodeURIComponent(json)}`,
      `data:application/json,${json}`,
      'data:application/json,{"image":"https://example.org/a.png","traits":"100 % #1, \\u0041"}',
    ])
      expect(await avatarOf('erc721', world.client.address, uri), uri).toBe('https://example.org/a.png')
    for (const uri of ['data:application/json,%', `data:text/html,${json}`, 'data:application/json;base64'])
      expect(await avatarOf('erc721', world.client.address, uri), uri).toBe(null)
  })

  it('is not shown when its metadata cannot be loaded', async () => {
    const { address } = world.client
    const server = `http://127.0.0.1:${gateway.port}/metadata`
    for (const uri of [
      server,
      'file:///etc/passwd',
      metadata('[]'),
      metadata('{"image":"file:///a"}'),
      metadata('no'),
    ])
      expect(await avatarOf('erc721', address, uri), uri).toBe(null)
    expect(gateway.asked).not.toContain('GET /metadata')
  })
})

describe('names behind a gateway', () => {
  it('resolve by wildcard and CCIP-Read', async () => {
    expect(await open().resolve('Alice.stealth.eth', 1, 'somebody')).toEqual({
      name: 'alice.stealth.eth',
      service: 'ens',
      address: ALICE,
    })
    expect(await open().resolve('nobody.stealth.eth', 1, 'somebody')).toBe(null)
    expect(await open().avatar('alice.stealth.eth')).toBe('https://example.org/a.png')
    expect(await open({ ipfsGateway: 'https://other.example' }).avatar('local.stealth.eth')).toBe(
      'https://other.example/ipfs/bafy/picture.png',
    )
  })

  it('may have an address of their own on a chain (ENSIP-11)', async () => {
    expect(await open().resolve('local.stealth.eth', CHAIN, 'somebody')).toMatchObject({
      address: ALICE_HERE,
    })
    expect(await open().resolve('local.stealth.eth', 1, 'somebody')).toMatchObject({ address: ALICE })
    expect(await open().resolve('alice.stealth.eth', CHAIN, 'somebody')).toMatchObject({ address: ALICE })
  })

  const OTHER = 8_453

  it('may have one address on all EVM chains (ENSIP-19), which comes after that of the chain', async () => {
    records['all.stealth.eth'] = { address: ALICE, coins: { [String(0x8000_0000)]: ALICE_HERE } }
    expect(await open().resolve('all.stealth.eth', OTHER, 'somebody')).toMatchObject({ address: ALICE_HERE })
    expect(await open().resolve('all.stealth.eth', 1, 'somebody')).toMatchObject({ address: ALICE })
    records['only.stealth.eth'] = { coins: { [String(0x8000_0000)]: ALICE_HERE } }
    expect(await open().resolve('only.stealth.eth', 1, 'somebody')).toMatchObject({ address: ALICE_HERE })
    const coins: Record<string, Address> = {
      [String(0x8000_0000)]: ALICE_HERE,
      [String((0x8000_0000 | OTHER) >>> 0)]: ALICE,
    }
    records['both.stealth.eth'] = { coins }
    expect(await open().resolve('both.stealth.eth', OTHER, 'somebody')).toMatchObject({ address: ALICE })
  })

  it('have no address on another chain where the one for Ethereum is a contract', async () => {
    records['vault.stealth.eth'] = { address: world.names.resolver }
    const resolve = (chainId: number) => open().resolve('vault.stealth.eth', chainId, 'somebody')
    expect(await resolve(OTHER)).toBe(null)
    expect(await resolve(0x8000_0001)).toBe(null)
    expect(await resolve(CHAIN)).toMatchObject({ address: world.names.resolver })
    expect(await resolve(1)).toMatchObject({ address: world.names.resolver })
    records['vault.stealth.eth'] = {
      address: world.names.resolver,
      coins: { [String((0x8000_0000 | OTHER) >>> 0)]: ALICE },
    }
    expect(await resolve(OTHER)).toMatchObject({ address: ALICE })
  })

  it('keep the address for Ethereum on other chains where a key has delegated it', async () => {
    const code = `0xef0100${'ab'.repeat(20)}` as const
    await world.chain.client.request({ method: 'anvil_setCode', params: [ALICE_HERE, code] } as never)
    records['delegated.stealth.eth'] = { address: ALICE_HERE }
    expect(await open().resolve('delegated.stealth.eth', OTHER, 'somebody')).toMatchObject({
      address: ALICE_HERE,
    })
  })

  it.each([
    ['an answer that nobody signed', async () => ({ status: 200, body: '{"data":"0x"}' })],
    [
      'an answer to another question',
      async () => ({
        status: 200,
        body: await world.answerLookup(gateway.asked[1]?.slice(4) ?? '', () => ({ address: ALICE_HERE })),
      }),
    ],
    ['no JSON', async () => ({ status: 200, body: 'hello' })],
    ['a failure', async () => ({ status: 500, body: '{}' })],
    ['a refusal', async () => ({ status: 404, body: '{}' })],
    ['a huge answer', async () => ({ status: 200, body: `{"data":"0x${'00'.repeat(200_000)}"}` })],
  ] as const)('give no address when the gateway gives %s', async (_, answer) => {
    await whileLying(answer, async () => {
      await expect(open().resolve('alice.stealth.eth', 1, 'somebody')).rejects.toMatchObject({
        kind: 'bad-gateway',
      })
      expect(await open().avatar('alice.stealth.eth')).toBe(null)
    })
  })

  it('give up on a gateway that does not answer', async () => {
    await whileLying(
      () => new Promise(() => undefined),
      async () => {
        await expect(
          open({ timeoutMs: 200 }).resolve('alice.stealth.eth', 1, 'somebody'),
        ).rejects.toMatchObject({
          kind: 'bad-gateway',
        })
      },
    )
  })

  it('are not asked for on private addresses, unless the chain is a development one', async () => {
    const before = gateway.asked.length
    const strict = open({ fetching: { allowHttp: true, isAllowed: isPublicAddress } })
    await expect(strict.resolve('alice.stealth.eth', 1, 'somebody')).rejects.toMatchObject({
      kind: 'bad-gateway',
    })
    const secure = open({ fetching: { allowHttp: false } })
    await expect(secure.resolve('alice.stealth.eth', 1, 'somebody')).rejects.toMatchObject({
      kind: 'bad-gateway',
    })
    expect(gateway.asked).toHaveLength(before)
  })
})

describe('hostile contracts', () => {
  /** A contract that answers every call with the same offchain lookup, whose callback is the contract itself: an endless loop. */
  async function createLooper(url: string): Promise<Address> {
    const { abi, bytecode } = compileSource(
      'Looper',
      `contract Looper {
        string url;
        error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
        constructor(string memory given) { url = given; }
        fallback() external {
          string[] memory urls = new string[](1);
          urls[0] = url;
          revert OffchainLookup(address(this), urls, "", bytes4(0x01020304), "");
        }
        function supportsInterface(bytes4) external pure returns (bool) { return true; }
      }`,
    )
    return world.create(abi, bytecode, [url])
  }

  it('get few lookups, however often they ask', async () => {
    await using server = await startWebServer('127.0.0.1', (_, response) => response.end('{"data":"0x"}'))
    await world.register('looper', await createLooper(`http://127.0.0.1:${server.port}/{data}`))
    await expect(open().resolve('looper.eth', 1, 'somebody')).rejects.toMatchObject({ kind: 'bad-gateway' })
    expect(server.asked).toHaveLength(4)
  })

  it('cannot send callers with another purpose to a gateway', async () => {
    await using server = await startWebServer('127.0.0.1', (_, response) => response.end('{"data":"0x"}'))
    const looper = await createLooper(`http://127.0.0.1:${server.port}/{data}`)
    const call = { address: looper, abi: parseAbi(['function symbol() view returns (string)']) }
    await expect(world.chain.client.readContract({ ...call, functionName: 'symbol' })).rejects.toThrow()
    const data: Hex = encodeFunctionData({ ...call, functionName: 'symbol' })
    await expect(world.chain.client.call({ to: looper, data })).rejects.toThrow()
    expect(server.asked).toEqual([])
  })
})

describe('normalization', () => {
  it.each([
    ['Vitalik.ETH', 'vitalik.eth'],
    ['ni‍ck.eth', null],
    ['vitаlik.eth', null],
    ['bob', null],
    ['0x00000000000000000000000000000000000A11cE', null],
    [`${'a'.repeat(300)}.eth`, null],
    [Array.from({ length: 20 }, () => 'a').join('.'), null],
    ['raffy🚴‍♂️.eth', 'raffy🚴‍♂.eth'],
  ])('%s becomes %s', (text, name) => {
    expect(normalizeName(text)).toBe(name)
  })
})
