import type { Quotes } from '../transact.ts'
import { previewOfframp } from './preview-offramp.ts'
import { previewSwap } from './preview-swap.ts'
import type { Previews } from './previews.ts'

/** Creates the previews over the quotes. */
export const createPreviews = (quotes: Pick<Quotes, 'preview'>): Previews => ({
  swap: (accountId, request) => previewSwap(quotes, accountId, request),
  offramp: (accountId, request) => previewOfframp(quotes, accountId, request),
})
