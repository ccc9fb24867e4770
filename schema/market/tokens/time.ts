import { z } from 'zod'

/** A time in the token catalogue, whose contract declares no format: ISO 8601 in UTC on the wire, a Date inside. */
export const time = z.codec(z.string().meta({ examples: ['2026-01-31T12:00:00.000Z'] }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})
