import { benchApi } from './api/bench-api.ts'
import { benchDerive } from './derive/bench-derive.ts'
import { benchHoldings } from './holdings/bench-holdings.ts'
import { benchIdentity } from './identity/bench-identity.ts'
import { benchIndexer } from './indexer/bench-indexer.ts'
import { benchInspect } from './inspect/bench-inspect.ts'
import { benchInstall } from './install/bench-install.ts'
import { readMachineFacts } from './machine-facts.ts'
import { rateRows } from './measure/rate-rows.ts'
import type { UnratedRow } from './measure/row.ts'
import { benchInstances } from './instances/bench-instances.ts'
import { benchOperate } from './operate/bench-operate.ts'
import { benchCash } from './orders/bench-cash.ts'
import { benchOrders } from './orders/bench-orders.ts'
import { benchPool } from './pool/bench-pool.ts'
import { benchReads } from './reads/bench-reads.ts'
import { benchRelayer } from './relayer/bench-relayer.ts'
import { benchRelays } from './relays/bench-relays.ts'
import type { Results } from './report/results.ts'
import type { Settings } from './settings.ts'
import { benchSign } from './sign/bench-sign.ts'
import { benchSimulate } from './simulate/bench-simulate.ts'
import { benchSwap } from './transact/bench-swap.ts'
import { benchTransact } from './transact/bench-transact.ts'
import { benchVerify } from './verify/bench-verify.ts'

/** Measures the chosen parts, one after another. */
export async function runBench(settings: Settings): Promise<Results> {
  const results = { startedAt: new Date().toISOString(), machine: readMachineFacts() }
  const rows: UnratedRow[] = []
  let latencies: Results['latencies'] = {}
  for (const part of settings.parts) {
    const named = { ...settings, tell: (what: string) => settings.tell(`${part}: ${what}`) }
    if (part === 'verify') rows.push(...(await benchVerify(named)))
    if (part === 'sign') rows.push(...(await benchSign(named)))
    if (part === 'simulate') rows.push(...(await benchSimulate(named)))
    if (part === 'derive') rows.push(...(await benchDerive(named)))
    if (part === 'holdings') rows.push(...(await benchHoldings(named)))
    if (part === 'indexer') rows.push(...(await benchIndexer(named)))
    if (part === 'identity') rows.push(...(await benchIdentity(named)))
    if (part === 'transact') rows.push(...(await benchTransact(named)))
    if (part === 'swap') rows.push(...(await benchSwap(named)))
    if (part === 'pool') rows.push(...(await benchPool(named)))
    if (part === 'orders') rows.push(...(await benchOrders(named)), ...(await benchCash(named)))
    if (part === 'inspect') rows.push(...(await benchInspect(named)))
    if (part === 'relays') rows.push(...(await benchRelays(named)))
    if (part === 'instances') rows.push(...(await benchInstances(named)))
    if (part === 'reads') rows.push(...(await benchReads(named)))
    if (part === 'operate') rows.push(...(await benchOperate(named)))
    if (part === 'install') rows.push(...(await benchInstall(named)))
    if (part === 'api') rows.push(...(await benchApi(named)))
    if (part === 'relayer') {
      const relayer = await benchRelayer(named)
      rows.push(...relayer.rows)
      latencies = relayer.latencies
    }
  }
  return { ...results, rows: rateRows(rows), latencies }
}
