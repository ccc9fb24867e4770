import { readBoundedBytes } from '../../../proving/read-bounded.ts'
import { MAX_LEAVES_ANSWER, type ProvingPool } from '../../../proving/proving-pool.ts'
import { labelListOf, type LabelList } from './verify-list.ts'

const PATIENCE_MS = 60_000

/**
 * Reads the whole list of approved labels from an association set provider, so that it never learns which of them
 * matter.
 *
 * @throws Error if the provider does not answer, breaks the protocol or sends more than 64 MiB.
 */
export async function readAspList(
  proving: Pick<ProvingPool, 'readLeaves'>,
  aspUrl: string,
  pool: { chainId: number; scope: bigint },
): Promise<LabelList> {
  const response = await fetch(`${aspUrl.replace(/\/+$/, '')}/${pool.chainId}/public/mt-leaves`, {
    headers: { 'x-pool-scope': String(pool.scope) },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`the ASP answered ${response.status}`)
  const answer = await readBoundedBytes(response, MAX_LEAVES_ANSWER)
  if (!answer) throw new Error(`the ASP answered more than ${MAX_LEAVES_ANSWER} bytes`)
  const labels = await proving.readLeaves(answer)
  if (!labels) throw new Error('the ASP answered no list of labels')
  return labelListOf(labels)
}
