import { createServer } from 'node:http'
import { createPublicClient, http, TransactionNotFoundError, type Hex, type PublicClient } from 'viem'
import { listenLocally, type LocalServer } from '../listen-locally.ts'
import { renderPage, renderTransaction } from './render-transaction.ts'

const PATH = /^\/([0-9]{1,16})\/tx\/(0x[0-9a-fA-F]{64})$/
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // Pages show strangers' texts from the chain.
  'content-security-policy': "default-src 'none'",
}

/**
 * Starts a block explorer on the loopback address: `GET /{chainId}/tx/{hash}` is a page about a transaction.
 */
export async function serveExplorer(
  chains: readonly { chainId: number; rpcUrl: string }[],
): Promise<LocalServer> {
  const clients = new Map<number, PublicClient>(
    chains.map(({ chainId, rpcUrl }) => [chainId, createPublicClient({ transport: http(rpcUrl) })]),
  )

  async function answer(path: string): Promise<{ status: number; page: string }> {
    const [, chain, hash] = PATH.exec(path) ?? []
    const client = clients.get(Number(chain))
    if (!client) return { status: 404, page: renderPage('Not found', 'There is no such page.') }
    try {
      return { status: 200, page: await readPage(client, Number(chain), hash as Hex) }
    } catch (error) {
      if (!(error instanceof TransactionNotFoundError)) throw error
      const page = renderPage('Not found', `The chain ${chain} has no transaction ${hash}.`)
      return { status: 404, page }
    }
  }

  const server = createServer((request, response) => {
    const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/'
    void answer(path)
      .catch(() => ({ status: 502, page: renderPage('No answer', 'The chain gave no answer.') }))
      .then(({ status, page }) => response.writeHead(status, HEADERS).end(page))
  })
  return listenLocally(server)
}

async function readPage(client: PublicClient, chainId: number, hash: Hex): Promise<string> {
  const transaction = await client.getTransaction({ hash })
  const receipt = transaction.blockNumber === null ? null : await client.getTransactionReceipt({ hash })
  return renderTransaction(chainId, transaction, receipt)
}
