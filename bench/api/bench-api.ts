import { runConcurrently } from '../../test/harness/relay-requests.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import { openHttpClient, type HttpAnswer } from '../service/open-http-client.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { benchBesideFlood } from './bench-beside-flood.ts'
import { benchBesideSearches } from './bench-beside-searches.ts'

const BASELINE = 'api.live'
const BURST = 100
const QUERY = `query ($chainId: SafeInt!, $assetAddress: Address!) {
  relayerDetails(chainId: $chainId, assetAddress: $assetAddress) {
    feeBPS feeReceiverAddress chainId assetAddress minWithdrawAmount maxGasPrice
  }
}`

/** The service's cost of single requests, over HTTP; the baseline is its cheapest request. */
export async function benchApi(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  const service = await startOwnService()
  const client = openHttpClient(service.url)
  try {
    const [pool] = service.chain.pools
    if (!pool) throw new Error('the devnet has no pool')
    const variables = { chainId: service.chain.chainId, assetAddress: pool.asset }
    const search = new URLSearchParams({ ...variables, chainId: String(variables.chainId) })
    const query = JSON.stringify({ query: QUERY, variables })
    const caseOf = (name: string, ask: () => Promise<HttpAnswer>): Case => ({
      name,
      baseline: name === BASELINE ? null : BASELINE,
      operations: BURST,
      run: () =>
        runConcurrently(Array.from({ length: BURST }), settings.relayer.concurrency, async () => {
          const { status, body } = await ask()
          if (status !== 200 || body.startsWith('{"errors"')) throw new Error(`${name}: ${status} ${body}`)
        }),
    })
    const rows = await measureInterleaved(
      [
        caseOf(BASELINE, () => client.get('/health/live')),
        caseOf('api.details', () => client.get(`/relayer/details?${search}`)),
        caseOf('api.graphqlDetails', () => client.post('/graphql', query)),
        caseOf('api.openapi', () => client.get('/openapi.json')),
      ],
      settings,
      service.readCpu,
    )
    return [
      ...rows,
      ...(await benchBesideFlood(settings, service.url, `/relayer/details?${search}`)),
      ...(await benchBesideSearches(settings)),
    ]
  } finally {
    client.close()
    await service.stop()
  }
}
