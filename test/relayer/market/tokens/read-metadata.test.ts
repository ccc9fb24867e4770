import type { Address } from 'viem'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetadata, TOKEN_METADATA_CODE } from '../../../../relayer/market/tokens/read-metadata.ts'
import { countRpc } from '../../../harness/count-rpc.ts'
import { compileSolidity } from './compile-solidity.ts'
import { configOf, startTokenWorld, type TokenWorld } from './start-token-world.ts'
import type { Chain } from '../../../../relayer/chain/nodes/chain.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { pino } from 'pino'

let world: TokenWorld
beforeAll(async () => {
  world = await startTokenWorld()
})
afterAll(() => world?.stop())

const TIMEOUT_MS = 20_000

async function read(name: string, ...args: unknown[]) {
  const address = await world.deploy(name, ...args)
  const [metadata] = await readMetadata(world.chain, [address], TIMEOUT_MS)
  return metadata
}

it('the bytecode that reads tokens equals its compiled source', () => {
  const source = new URL('../../../../relayer/market/tokens/contracts/TokenMetadata.sol', import.meta.url)
  expect(compileSolidity(source)['TokenMetadata']?.bytecode).toBe(TOKEN_METADATA_CODE)
})

describe('the metadata of one contract', () => {
  it('are the answers of an honest token', async () => {
    expect(await read('Plain', 'TEST', 'Test token', 6, 5_000n)).toMatchObject({
      symbol: 'TEST',
      name: 'Test token',
      decimals: 6,
      totalSupply: 5_000n,
    })
  })

  it('may be bytes32, as in old tokens', async () => {
    expect(await read('OldToken')).toMatchObject({ symbol: 'MKR', name: 'Maker', decimals: 18 })
  })

  it('have no text where the contract reverts', async () => {
    expect(await read('Reverting')).toMatchObject({ symbol: '', name: '', decimals: 6, totalSupply: null })
  })

  it('have a long name cut', async () => {
    const metadata = await read('LongName')
    expect(metadata?.name).toMatch(/^A{192}$/)
    expect(metadata?.symbol).toMatch(/^A{96}$/)
  })

  it('are null for a contract that returns a megabyte for everything', async () => {
    expect(await read('Megabyte')).toBeNull()
  })

  it('have invalid UTF-8 replaced', async () => {
    expect(await read('NotUtf8')).toMatchObject({ symbol: '\ufffdA\ufffdB\ufffd', decimals: 18 })
  })

  it("do not depend on the contract's offsets and lengths", async () => {
    const metadata = await read('Lying')
    expect(metadata).toMatchObject({ symbol: '', decimals: 18 })
    expect(metadata?.name.replaceAll('\0', '')).toBe('short')
  })

  it.each([37n, 255n, 2n ** 255n])('are null for %d decimals', async (decimals) => {
    expect(await read('ManyDecimals', decimals)).toBeNull()
  })

  it('may have 36 decimals', async () => {
    expect(await read('ManyDecimals', 36n)).toMatchObject({ decimals: 36 })
  })

  it('lack the texts of a token that burns gas, but not its decimals', async () => {
    expect(await read('GasBomb')).toMatchObject({ symbol: '', name: '', decimals: 18, totalSupply: null })
  })

  it.each(['InvalidBomb', 'Silent', 'Collectible'])(
    'are null for a contract that is no token: %s',
    async (name) => {
      expect(await read(name)).toBeNull()
    },
  )

  it('are null for a contract that destroyed itself', async () => {
    expect(await read('Gone')).toBeNull()
  })

  it('are null for an address without code and for a precompile', async () => {
    const addresses: Address[] = [
      getAddress('0x00000000000000000000000000000000000000aa'),
      '0x0000000000000000000000000000000000000004',
    ]
    expect(await readMetadata(world.chain, addresses, TIMEOUT_MS)).toEqual([null, null])
  })
})

it('41 tokens, hostile ones among them, are read in three calls', async () => {
  const honest = await world.deploy('Plain', 'ONE', 'One', 1, 1n)
  const bombs: Address[] = []
  for (const name of ['GasBomb', 'InvalidBomb', 'LongName', 'Megabyte']) bombs.push(await world.deploy(name))
  const door = await countRpc(world.node.url)
  const chain = openChain(configOf(door.url), pino({ level: 'silent' }))
  const asked = Array.from({ length: 41 }, (_, index) =>
    index % 2 ? (bombs[(index >> 1) % 4] as Address) : honest,
  )
  const read = await readMetadata(chain, asked, TIMEOUT_MS)
  expect(
    door
      .take()
      .flat()
      .filter((method) => method === 'eth_call'),
  ).toHaveLength(3)
  await door.close()
  expect(read.filter((item) => item?.symbol === 'ONE').map((item) => item?.address)).toEqual(
    asked.filter((address) => address === honest),
  )
  expect(read[0]).toMatchObject({ symbol: 'ONE' })
  expect(read[3]).toBeNull()
})

it('a chain that does not answer is given up', async () => {
  await world.node.freeze()
  try {
    await expect(
      readMetadata(world.chain, ['0x00000000000000000000000000000000000000aa'], 300),
    ).rejects.toMatchObject({ name: 'TimeoutError' })
  } finally {
    world.node.resume()
  }
})

it('metadata stay cached when the chain stops answering', async () => {
  const honest = await world.deploy('Plain', 'ONE', 'One', 1, 1n)
  const call: Chain['client']['call'] = async (request) => {
    const answer = await world.chain.client.call(request)
    await world.node.freeze()
    return answer
  }
  try {
    const asked = Array<Address>(21).fill(honest)
    const read = await readMetadata({ client: { ...world.chain.client, call } }, asked, 2_000)
    expect(read.map((item) => item?.symbol)).toEqual([...Array<string>(20).fill('ONE'), undefined])
  } finally {
    world.node.resume()
  }
})
