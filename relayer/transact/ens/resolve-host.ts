import { Resolver } from 'node:dns/promises'

const TRY_MS = 1_000
const TRIES = 2

/**
 * Resolves a host that a stranger chose, by DNS only. The system's resolver would occupy one of the few threads on
 * which signatures are checked for as long as the stranger's name server is silent.
 *
 * @param servers Name servers as `host:port`; the system's unless given.
 * @throws Error when the host has no address, or no server answers in time.
 */
export async function resolveHost(host: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = answers
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}
