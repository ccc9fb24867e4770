// SPDX-License-Identifier: MIT
/**
 * How a client goes through its receipts. It reads the review page by page, of one snapshot so that nothing is repeated
 * or missed. It marks the receipts as seen, and skips those that its user wants to leave as they are. A skip names the
 * shown receipts, so later ones are not skipped with them.
 */
import { sleep } from '../requests/sleep.ts'
import type { Client } from './open-client.ts'
import type { Address } from 'viem'

/** The service allows 60 readings a minute. */
const POLL_MS = 1_100
const PATIENCE_MS = 60_000

export type ReviewStatus = 'needsReview' | 'inProgress' | 'done' | 'skipped'

/** An address of the account that was paid. */
export interface ReviewItem {
  address: Address
  reviewStatus: ReviewStatus
  /** Why it needs review; null otherwise. */
  statusReason: 'new_funds' | 'deposit_declined' | 'deposit_failed' | 'recovered' | null
  lastReceivedAt: string
  rawReceiveCount: number
  trustedReceiveActionTypes: string[]
  provenanceSources: { kind: 'receive' | 'private'; address: Address }[]
  canConvert: boolean
  assets: {
    tokenSymbol: string
    decimals: number
    amount: string
    convertUnavailableReason: string | null
    poolDeposit: { status: string; amount: string; txHash: string | null } | null
  }[]
}

export interface Review {
  items: ReviewItem[]
  counts: Record<ReviewStatus, number>
  /** Need review, and were not marked as seen. */
  unseenNeedsReview: number
}

interface Page extends Review {
  snapshotId: string
  pageInfo: { nextCursor: string | null }
}

/** The whole review, the newest receipt first. */
export async function readReview(client: Client): Promise<Review> {
  const path = `/v1/accounts/${client.accountId}/deposit-review`
  let page = await client.ask<Page>('GET', path)
  const { snapshotId, counts, unseenNeedsReview } = page
  const items = [...page.items]
  while (page.pageInfo.nextCursor !== null) {
    page = await client.ask<Page>(
      'GET',
      `${path}?snapshotId=${snapshotId}&cursor=${page.pageInfo.nextCursor}`,
    )
    items.push(...page.items)
  }
  return { items, counts, unseenNeedsReview }
}

/** Says that the user has seen all that is in the review now. */
export const markSeen = (client: Client) =>
  client.ask<{ seenAt: string }>('POST', `/v1/accounts/${client.accountId}/deposit-review/seen`)

/** Leaves an address as it is, until it is paid again. */
export const skip = (client: Client, { address, lastReceivedAt, rawReceiveCount }: ReviewItem) =>
  client.ask<{ skip: { skippedAt: string } }>(
    'PUT',
    `/v1/accounts/${client.accountId}/deposit-review/skipped/${address}`,
    { lastReceivedAt, rawReceiveCount },
  )

/** @throws Error when patience ends before the item of an address is as wanted. */
export async function waitForItem(
  client: Client,
  address: Address,
  isWanted: (item: ReviewItem) => boolean,
): Promise<ReviewItem> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { items } = await readReview(client)
    const item = items.find((one) => one.address === address)
    if (item && isWanted(item)) return item
    if (performance.now() > end) throw new Error(`the review of ${address} is not what it should be`)
    await sleep(POLL_MS)
  }
}
