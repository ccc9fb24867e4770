import { formatUnits } from 'viem'

/** An amount to read: at most six decimals; smaller amounts are shown as `<0.000001`. */
export function formatAmount(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  const shown = fraction.slice(0, 6).replace(/0+$/, '')
  if (whole === '0' && shown === '' && amount > 0n) return '<0.000001'
  return group(whole) + (shown && `.${shown}`)
}

/** Digits in groups of three. */
export function group(digits: string | bigint | number): string {
  return String(digits).replaceAll(/\B(?=(\d{3})+$)/g, '\u2009')
}

export function formatGwei(wei: bigint): string {
  return `${formatAmount(wei, 9)} gwei`
}

export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** Beginning and end of an address or hash. */
export function shorten(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-6)}`
}
