import { Gauge, type Registry } from 'prom-client'
import { usdToNumber } from '../../relayer/market/prices/usd.ts'
import { dayBefore, type SendBooking, type Usage } from '../../relayer/transact/usage/usage.ts'

/** Registers figures about the use of the service. */
export function registerUsageFigures(registry: Registry, usage: () => Promise<Usage>): void {
  const registers = [registry]
  const accounts: Gauge = new Gauge({
    name: 'accounts',
    help: 'Accounts.',
    registers,
    async collect() {
      accounts.set((await usage()).accounts)
    },
  })
  const sends = new Gauge({
    name: 'sends',
    help: 'Submitted quotes by status since the database was made.',
    labelNames: ['status'],
    registers,
    async collect() {
      const { underWay, confirmed, failed } = (await usage()).sends
      for (const [status, count] of Object.entries({ under_way: underWay, confirmed, failed }))
        sends.set({ status }, count)
    },
  })
  for (const [name, help, read] of STUCK) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        gauge.set(read((await usage()).stuck))
      },
    })
  }
  const profit: Gauge<'chain' | 'token' | 'symbol' | 'duty'> = new Gauge({
    name: 'profit_today_usd',
    help: 'Fees less gas of this day (UTC), in dollars at the newest prices; absent for tokens without one.',
    labelNames: ['chain', 'token', 'symbol', 'duty'],
    registers,
    async collect() {
      profit.reset()
      for (const { day, chainId, token, symbol, duty, usd } of (await usage()).profit)
        if (day === dayBefore(0) && usd !== null)
          profit.set({ chain: chainId, token, symbol, duty }, usdToNumber(usd))
    },
  })
  for (const [name, help, read] of BOOKED) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['chain', 'token', 'symbol'],
      registers,
      async collect() {
        gauge.reset()
        for (const booking of (await usage()).sendLedger)
          gauge.set(
            { chain: booking.chainId, token: booking.token, symbol: booking.symbol },
            Number(read(booking)),
          )
      },
    })
  }
}

const STUCK: readonly [name: string, help: string, read: (stuck: Usage['stuck']) => number][] = [
  [
    'earnings_unbooked',
    'Shares of referrers that could not be booked; the service tries again.',
    (s) => s.earnings,
  ],
  ['sends_unended', 'Mined quotes that could not be ended; the service tries again.', (s) => s.quotes],
]

/**
 * The ledger of sends as gauges. Amounts lose precision beyond 2^53: they are meant for graphs, not for accounting.
 */
const BOOKED: readonly [name: string, help: string, read: (booking: SendBooking) => number | bigint][] = [
  ['send_ledger_sends', 'Sends booked.', ({ sends }) => sends],
  ['send_ledger_network_fee', 'Fees for gas, smallest unit of the token.', ({ networkFee }) => networkFee],
  ['send_ledger_service_fee', 'Service fees, smallest unit of the token.', ({ serviceFee }) => serviceFee],
  ['send_ledger_gas_spent_wei', 'Native coin spent on gas of sends.', ({ gasSpent }) => gasSpent],
  [
    'send_ledger_gas_unpaid_wei',
    'Native coin spent on gas of sends that paid nothing.',
    ({ gasUnpaid }) => gasUnpaid,
  ],
]
