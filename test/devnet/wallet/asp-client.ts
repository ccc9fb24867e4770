import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const decimals = z.array(z.string().regex(/^\d+$/)).transform((items) => items.map(BigInt))
const leavesAnswer = z.object({ aspLeaves: decimals, stateTreeLeaves: decimals })
const rootsAnswer = z.object({ mtRoot: z.string(), onchainMtRoot: z.string().nullable() })

const POLL_MS = 250

/** The leaves that a withdrawal's proof is made from, in insertion order. */
export interface TreeLeaves {
  aspLeaves: bigint[]
  stateTreeLeaves: bigint[]
}

/** A pool at an ASP. */
export interface AspPoolAddress {
  aspUrl: string
  chainId: number
  scope: bigint
}

/**
 * Waits until the ASP has approved a deposit and its root is on chain. Returns the leaves of both trees.
 * @throws the signal's reason when it is aborted first; Error where the ASP refuses to answer.
 */
export async function waitForApproval(
  pool: AspPoolAddress,
  label: bigint,
  signal: AbortSignal,
): Promise<TreeLeaves> {
  for (;;) {
    const leaves = leavesAnswer.parse(await ask(pool, 'mt-leaves', signal))
    if (leaves.aspLeaves.includes(label)) {
      const { mtRoot, onchainMtRoot } = rootsAnswer.parse(await ask(pool, 'mt-roots', signal))
      if (mtRoot === onchainMtRoot) return leaves
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

async function ask(
  { aspUrl, chainId, scope }: AspPoolAddress,
  topic: string,
  signal: AbortSignal,
): Promise<unknown> {
  const url = `${aspUrl}/${chainId}/public/${topic}`
  const response = await fetch(url, { headers: { 'X-Pool-Scope': String(scope) }, signal })
  if (!response.ok) throw new Error(`the ASP answered ${response.status} at ${url}: ${await response.text()}`)
  return await response.json()
}
