import { formatUnits } from 'viem'
import { usdToNumber } from '../../relayer/market/prices/usd.ts'
import { readProfit, type DailyProfit } from '../../relayer/transact/usage/profit.ts'
import { dayBefore } from '../../relayer/transact/usage/usage.ts'
import { AdminError, readYes, type AdminCommand } from './command.ts'

const HEADS = 'day,chain,token,symbol,for,number,fees,gas,gas unpaid,coin,dollars'.split(',')

/** Profit and loss, for the operator's bookkeeping. */
export const profitCommand: AdminCommand = {
  name: 'profit',
  usage: '[--from <day>] [--to <day>] [--csv yes]',
  help: 'fees in and gas out by day (UTC), chain and token; dollars at the newest prices; a month unless told otherwise',
  words: { least: 0, most: 0 },
  options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'string' } },
  async run({ database, config, print }, _, options) {
    const { from = dayBefore(30), to = dayBefore(0) } = options
    const days = { from: readDay('from', from), to: readDay('to', to) }
    const rows = await readProfit(database, config, days)
    const separator = readYes('csv', options) ? ',' : '\t'
    const write = (cells: readonly string[]) => print(cells.join(separator))
    write(HEADS)
    for (const row of rows) write(cellsOf(row))
    if (separator === ',') return
    const priced = rows.flatMap(({ usd }) => usd ?? [])
    const unpriced = rows.length - priced.length
    const sum = usdToNumber(priced.reduce((total, usd) => total + usd, 0n))
    print(
      `${sum.toFixed(2)} dollars in all${unpriced === 0 ? '' : `, without ${unpriced} rows that lack a price`}`,
    )
  },
}

/** Amounts in whole tokens and coins, with all their digits. */
const cellsOf = (row: DailyProfit): string[] => [
  row.day,
  String(row.chainId),
  row.token,
  // A token names itself: a comma or a line break would be a cell or a row of its own.
  row.symbol.replaceAll(/[^\w.-]/g, '?'),
  row.duty,
  String(row.acts),
  formatUnits(row.fees, row.decimals),
  formatUnits(row.gasSpent, 18),
  formatUnits(row.gasUnpaid, 18),
  row.nativeSymbol,
  row.usd === null ? '' : String(usdToNumber(row.usd)),
]

/** @throws AdminError if the text is no day. */
function readDay(name: string, text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (isDay && new Date(text).toISOString().startsWith(text)) return text
  throw new AdminError(`--${name} is ${text}: expected a day such as 2026-11-28`)
}
