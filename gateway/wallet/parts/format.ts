import { formatUnits, parseUnits } from 'viem'

/** The longest fraction that is shown where an amount is read in passing: the more there is, the less of it. */
const shortFraction = (integer: string) => (integer.length > 3 ? 2 : integer === '0' ? 6 : 4)

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** An amount with its symbol; a long fraction is cut unless `whole`. */
export function formatToken(
  amount: string | bigint,
  { symbol, decimals }: { symbol: string; decimals: number },
  { whole = false }: { whole?: boolean } = {},
): string {
  return `${formatDecimal(formatUnits(BigInt(amount), decimals), whole)} ${symbol}`
}

/** A decimal number with groups of thousands. An amount that is not zero is never shown as zero. */
function formatDecimal(text: string, whole: boolean): string {
  const [integer = '0', fraction = ''] = text.split('.')
  const most = whole ? fraction.length : shortFraction(integer)
  const grouped = BigInt(integer).toLocaleString('en')
  const cut = fraction.slice(0, most).replace(/0+$/, '')
  if (cut) return `${grouped}.${cut}`
  return integer === '0' && /[1-9]/.test(fraction) ? `<0.${'0'.repeat(most - 1)}1` : grouped
}

/** US dollars; null if there is no price. */
export const formatDollars = (amount: string | null): string | null =>
  amount === null ? null : dollars.format(Number(amount))

/** Parses a written amount into the smallest unit; null if it is no positive amount of the token. */
export function parseAmount(text: string, decimals: number): bigint | null {
  const plain = text.trim().replace(',', '.')
  const [, fraction = ''] = plain.split('.')
  if (!/^(?:\d{1,30})?(?:\.\d*)?$/.test(plain) || !/\d/.test(plain) || fraction.length > decimals) return null
  const amount = parseUnits(plain, decimals)
  return amount > 0n ? amount : null
}

/** An address in a list: both ends. Never where it is compared. */
export const shortenAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`

const time = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })

/** The time of today, the day of before. */
export function formatMoment(text: string): string {
  const moment = new Date(text)
  return moment.toDateString() === new Date().toDateString() ? time.format(moment) : day.format(moment)
}

/** A wait in words, at least a second; null where it is not known. */
export function describeWait(milliseconds: number | null): string | null {
  if (milliseconds === null) return null
  const seconds = Math.max(1, Math.round(milliseconds / 1_000))
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.round(seconds / 60), 'minute']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
