import { Gauge, type Registry } from 'prom-client'
import type { Usage } from '../../relayer/usage/usage.ts'

/** Registers how much the service is used. */
export function registerUsageFigures(registry: Registry, usage: () => Promise<Usage>): void {
  const registers = [registry]
  const accounts: Gauge = new Gauge({
    name: 'accounts',
    help: 'Accounts that there are.',
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
}
