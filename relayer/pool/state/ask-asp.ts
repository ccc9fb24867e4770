import { z } from 'zod'
import { getText } from '../../../proving/simulation/post-json.ts'
import type { AspReviewStatus } from '../../../db/account/balances/pool-deposits.ts'

const PATIENCE_MS = 10_000
const MAX_BYTES = 8 * 1_024 * 1_024
/** Maximum page size of existing providers. */
const PAGE_SIZE = 1_000

/** A request for a proof of innocence counts as undecided. */
const STATUSES: Readonly<Record<string, AspReviewStatus>> = { approved: 'approved', declined: 'declined' }

const decimal = z.string().regex(/^\d{1,78}$/)
const page = z.object({
  events: z
    .array(z.object({ type: z.string(), label: decimal.optional(), reviewStatus: z.string().optional() }))
    .max(PAGE_SIZE),
  total: z.int().nonnegative(),
})

/** A page of reviews, newest first. */
export interface AspReviewPage {
  reviews: { label: bigint; status: AspReviewStatus }[]
  isLast: boolean
}

/**
 * Reads a page of a pool's reviews from the association set provider, newest first. It requests pages, never labels,
 * which would reveal which deposits belong together.
 *
 * @throws Error if the provider does not answer or breaks the protocol.
 */
export async function readReviews(
  aspUrl: string,
  pool: { chainId: number; scope: bigint },
  pageNumber: number,
): Promise<AspReviewPage> {
  const url = `${aspUrl.replace(/\/+$/, '')}/${pool.chainId}/public/events?page=${pageNumber}&perPage=${PAGE_SIZE}`
  const { status, text } = await getText({
    url,
    headers: { 'x-pool-scope': String(pool.scope) },
    timeoutMs: PATIENCE_MS,
    maxBytes: MAX_BYTES,
  })
  if (status < 200 || status > 299) throw new Error(`the ASP answered ${status}`)
  const { events, total } = page.parse(JSON.parse(text))
  const reviews = events.flatMap(({ type, label, reviewStatus = '' }) =>
    type === 'deposit' && label !== undefined
      ? [{ label: BigInt(label), status: STATUSES[reviewStatus] ?? ('pending' as const) }]
      : [],
  )
  return { reviews, isLast: events.length === 0 || pageNumber * PAGE_SIZE >= total }
}
