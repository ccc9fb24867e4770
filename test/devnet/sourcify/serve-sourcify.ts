import { createServer } from 'node:http'
import { createPublicClient, hexToBytes, http, isAddress, type Address, type Hex } from 'viem'
import type { CompiledContract, ContractBuild } from '../build/contract-build.ts'
import { listenLocally, type LocalServer } from '../listen-locally.ts'
import { describeMatch } from './describe-match.ts'

const PATH = /^\/v2\/contract\/([0-9]{1,16})\/(0x[0-9a-fA-F]{40})$/

/**
 * Starts a server on the loopback address that speaks `GET /v2/contract/{chainId}/{address}` of version 2 of Sourcify's
 * API. It knows every address that has the code of a contract that the devnet compiled. Compiled contracts are loaded
 * with the first request.
 */
export async function serveSourcify(
  chains: readonly { chainId: number; rpcUrl: string }[],
  loadBuild: () => Promise<ContractBuild>,
): Promise<LocalServer> {
  const clients = new Map(
    chains.map(({ chainId, rpcUrl }) => [chainId, createPublicClient({ transport: http(rpcUrl) })]),
  )

  async function answer(path: string): Promise<{ status: number; body: unknown }> {
    const [, chain, address] = PATH.exec(path) ?? []
    if (chain === undefined || address === undefined || !isAddress(address, { strict: false }))
      return { status: 404, body: { customCode: 'not_found', message: 'There is no such route' } }
    const client = clients.get(Number(chain))
    if (!client)
      return {
        status: 400,
        body: { customCode: 'unsupported_chain', message: `Chain ${chain} is not supported` },
      }
    const code = await client.getCode({ address, blockTag: 'latest' })
    const found = code && findCompiled(await loadBuild(), code)
    const none = { match: null, creationMatch: null, runtimeMatch: null, chainId: chain, address }
    if (!found) return { status: 404, body: none }
    return { status: 200, body: describeMatch({ chainId: chain, address, code, ...found }) }
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    void answer(pathname)
      .catch((error: unknown) => ({
        status: 500,
        body: { customCode: 'internal_error', message: String(error) },
      }))
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
  })
  return listenLocally(server)
}

/** The contract whose code this is, whatever its immutable variables are. */
function findCompiled(
  build: ContractBuild,
  code: Hex,
): { name: string; compiled: CompiledContract } | undefined {
  for (const [name, compiled] of Object.entries(build))
    if (isCodeOf(compiled, code)) return { name, compiled }
  return undefined
}

function isCodeOf({ runtimeBytecode, immutableReferences }: CompiledContract, code: Hex): boolean {
  if (code.length !== runtimeBytecode.length) return false
  const masked = hexToBytes(code)
  for (const { start, length } of Object.values(immutableReferences).flat())
    masked.fill(0, start, start + length)
  return Buffer.from(masked).toString('hex') === runtimeBytecode.slice(2).toLowerCase()
}

/** A contract that the server is asked about. */
export interface AskedContract {
  chainId: string
  address: Address
  code: Hex
  name: string
  compiled: CompiledContract
}
