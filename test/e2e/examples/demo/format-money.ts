import { formatUnits } from 'viem'

/** Every digit of an amount, in whole coins or tokens. */
export function formatMoney(
  amount: bigint,
  { decimals, symbol }: { decimals: number; symbol: string },
): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ' ')}${fraction && `.${fraction}`} ${symbol}`
}
