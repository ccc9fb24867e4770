import { getAddress, isAddress, zeroAddress } from 'viem'
import type { Services } from '../../relayer/services.ts'
import { badRequest } from '../../relayer/errors.ts'
import type { ServiceConfig } from '../config/config.ts'
import type { PayableToken, PaymentPage } from '../pages/payment-routes.ts'

/** Symbols are searched in the catalogue: more of one symbol are an imitation. */
const MOST_ALIKE = 20

/** The page by which anybody pays to a name; null where the service gives no names. */
export function offerPaymentPage(
  { chains, names }: Pick<ServiceConfig, 'chains' | 'names'>,
  { paymentPages, tokens }: Pick<Services, 'paymentPages' | 'tokens'>,
): PaymentPage | null {
  const { parent } = names
  if (parent === undefined) return null
  const listed = chains.map(({ chainId, name, nativeSymbol }) => ({ chainId, name, nativeSymbol }))

  async function findToken(chainId: number, asked: string): Promise<PayableToken> {
    const { nativeSymbol } = listed.find((chain) => chain.chainId === chainId) ?? { nativeSymbol: '' }
    const coin = { address: zeroAddress, symbol: nativeSymbol, decimals: 18 }
    if (asked === '' || asked === zeroAddress || asked.toUpperCase() === nativeSymbol.toUpperCase())
      return coin
    if (isAddress(asked)) {
      const found = await tokens.findPublic({ chainId, address: getAddress(asked) })
      if (found) return found
    } else {
      const query = { q: asked, chainId, limit: MOST_ALIKE, include: new Set<never>() }
      const alike = (await tokens.catalog(query)).tokens
        .map(({ token }) => token)
        .filter(({ symbol, spam }) => symbol.toUpperCase() === asked.toUpperCase() && !spam)
      const [only, ...more] = alike
      if (only && more.length === 0) return only
    }
    throw badRequest('This service does not know the token')
  }

  return {
    parent,
    chains: listed,
    findToken,
    open: (label, asker) => paymentPages.open(label, asker),
    follow: (ticket, signal) => paymentPages.follow(ticket, signal),
  }
}
