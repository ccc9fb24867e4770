import { post, type RelayBody } from '../../test/harness/relay-requests.ts'
import type { QuoteTerms } from './relay-world.ts'

export async function askQuote(url: string, terms: QuoteTerms): Promise<RelayBody['feeCommitment']> {
  const { status, body } = await post(url, '/relayer/quote', terms)
  if (status !== 200) throw new Error(`the relayer gives no quote: ${status} ${JSON.stringify(body)}`)
  return body['feeCommitment'] as RelayBody['feeCommitment']
}
