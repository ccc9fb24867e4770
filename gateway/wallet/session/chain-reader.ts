import type { ContractReader } from 'stealth-relay/client/pool'
import { decodeFunctionResult, encodeFunctionData, type Abi, type Address, type Hex } from 'viem'

interface Read {
  to: Address
  data: Hex
  resolve: (answer: Hex) => void
  reject: (error: unknown) => void
}

/**
 * Reads the contracts of pools on a chain. The page's policy admits no node, so the service asks its own. Reads of one moment
 * are one request.
 */
export function createChainReader(chainId: number): ContractReader {
  let waiting: Read[] = []

  async function flush(): Promise<void> {
    const reads = waiting
    waiting = []
    try {
      const answers = await ask(chainId, reads)
      for (const [place, { resolve }] of reads.entries()) resolve(answers[place] ?? '0x')
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }

  const call = (to: Address, data: Hex) =>
    new Promise<Hex>((resolve, reject) => {
      waiting.push({ to, data, resolve, reject })
      if (waiting.length === 1) queueMicrotask(() => void flush())
    })

  const readContract = async ({ address, abi, functionName, args }: AnyRead) => {
    const data = await call(address, encodeFunctionData({ abi, functionName, args }))
    return decodeFunctionResult({ abi, functionName, args, data })
  }
  return { readContract } as unknown as ContractReader
}

interface AnyRead {
  address: Address
  abi: Abi
  functionName: string
  args?: readonly unknown[]
}

async function ask(chainId: number, reads: readonly Read[]): Promise<readonly Hex[]> {
  const answer = await fetch('/wallet/pool-reads', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chainId, calls: reads.map(({ to, data }) => ({ to, data })) }),
  })
  if (!answer.ok) throw new Error(`the pool could not be read: ${answer.status}`)
  return ((await answer.json()) as { results: readonly Hex[] }).results
}
