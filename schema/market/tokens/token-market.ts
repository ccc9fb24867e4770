import { z } from 'zod'
import { absentIfNull, decimalText } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { asScalar } from '../../define/graph-scalars.ts'

/** A time of the token catalogue as text. */
const timeText = asScalar('DateTime', z.string())
/** A time in the token catalogue, whose contract declares no format: ISO 8601 in UTC on the wire, a Date inside. */
export const time = z.codec(timeText.meta({ examples: ['2026-01-31T12:00:00.000Z'] }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

const text = z.string()
const figure = decimalText.optional()

export const tokenMarket = shape(
  'TokenMarket',
  'A provider’s figures of the market; decimal strings. Absent: not known.',
  {
    provider: described(text, 'Provider of these figures.'),
    providerAssetId: described(text, 'Id of the token at the provider.'),
    vsCurrency: described(text, 'Currency of all prices here, for example `usd`.'),
    price: described(figure, 'Price of a whole token.'),
    marketCap: described(figure, 'Price times circulating supply.'),
    marketCapRank: described(
      absentIfNull(z.number()),
      'Place among the provider’s tokens by market capitalisation, from 1.',
    ),
    fullyDilutedValuation: described(figure, 'Price times the most tokens that can ever exist.'),
    totalVolume: described(figure, 'Value of what was traded in 24 hours.'),
    high24h: described(figure, 'Highest price of the last 24 hours.'),
    low24h: described(figure, 'Lowest price of the last 24 hours.'),
    priceChange24h: described(figure, 'Change of the price in 24 hours; negative when it fell.'),
    priceChangePercentage24h: described(figure, 'Change of the price in 24 hours, in percent.'),
    marketCapChange24h: described(figure, 'Change of the market capitalisation in 24 hours.'),
    marketCapChangePercentage24h: described(
      figure,
      'Change of the market capitalisation in 24 hours, in percent.',
    ),
    circulatingSupply: described(figure, 'Number of whole tokens in circulation.'),
    totalSupply: described(figure, 'Number of whole tokens that exist now.'),
    maxSupply: described(figure, 'Number of whole tokens that can ever exist.'),
    ath: described(figure, 'Highest price ever (all-time high).'),
    athChangePercentage: described(figure, 'Change of the price since `athDate`, in percent.'),
    athDate: described(absentIfNull(timeText), 'When the price was highest, ISO 8601.'),
    atl: described(figure, 'Lowest price ever (all-time low).'),
    atlChangePercentage: described(figure, 'Change of the price since `atlDate`, in percent.'),
    atlDate: described(absentIfNull(timeText), 'When the price was lowest, ISO 8601.'),
    providerUpdatedAt: described(
      absentIfNull(time),
      'When the provider last changed these figures, ISO 8601.',
    ),
    priceObservedAt: described(time, 'When the price was observed, ISO 8601.'),
    marketObservedAt: described(time, 'When the other figures were observed, ISO 8601.'),
    fetchedAt: described(time, 'When the service asked the provider, ISO 8601.'),
    stale: described(z.boolean(), 'True when the figures are older than they should be.'),
  },
)
