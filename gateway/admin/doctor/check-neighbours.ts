import type { ServiceConfig } from '../../config/config.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

const PATIENCE_MS = 5_000

/** Checks that every HTTP service in the settings, except nodes, can be reached; any answer will do. It sends no data. */
export async function checkNeighbours(config: ServiceConfig): Promise<ChartEntry[]> {
  const places = [...listUrls(config)].filter(
    ([, path]) => !path.includes('rpcUrls') && !path.startsWith('storage'),
  )
  const found = await Promise.all(places.map(([url, setting]) => checkPlace(url, setting)))
  return found.flat()
}

async function checkPlace(url: string, setting: string): Promise<ChartEntry[]> {
  const { host, origin } = new URL(url)
  const chart = openChart(host)
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal })
    await answer.body?.cancel()
    chart.ok(`answers (\`${setting}\`)`)
  } catch {
    chart.error(`cannot be reached (\`${setting}\`)`, 'Correct the address, or let this machine reach it.')
  }
  return chart.entries
}

/** Lists the HTTP addresses that the service contacts, each with the first setting that names it. */
function listUrls(config: ServiceConfig): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const collect = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      if (/^https?:\/\//.test(value) && !found.has(value)) found.set(value, path.join('.'))
    } else if (value !== null && typeof value === 'object')
      for (const [name, member] of Object.entries(value))
        if (!FOR_PEOPLE.test(name)) collect(member, [...path, name])
  }
  collect(config, [])
  return found
}

/** Settings of addresses that the service shows and never contacts. */
const FOR_PEOPLE =
  /^(?:explorer|policyUrl|recoveryUrl|logoUri|nativeLogoUri|corsOrigins|securityContact|issuer|http)$/
