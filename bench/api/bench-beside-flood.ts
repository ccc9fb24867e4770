import { getIntrospectionQuery } from 'graphql'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { openHttpClient } from '../service/open-http-client.ts'
import type { Settings } from '../settings.ts'
import { openSlowReaders } from './open-slow-readers.ts'

/** Connections of the flooding client, each with one pending request. */
const FLOOD = 32
const REQUESTS = 20
/** Connections of the client that does not read its long answers. */
const SLOW = 16
/** A client other than the measured one. */
const FLOODER = '127.0.0.2'

/**
 * Cost of a client's read beside another client that requests the schema all the time, in ever new words. That is the
 * dearest request without a token. The points of a minute are not counted here: this is the effect of turns alone. Also
 * beside a client that does not read its answers.
 */
export async function benchBesideFlood(settings: Settings, url: string, path: string): Promise<UnratedRow[]> {
  settings.tell(`a read beside ${FLOOD} connections of another client`)
  const reader = openHttpClient(url)
  const flooder = openHttpClient(url, { localAddress: FLOODER })
  const alone: Sample[] = []
  const beside: Sample[] = []
  const besideSlow: Sample[] = []
  const flooding = { isOn: false }
  let asked = 0
  const flood = async () => {
    while (flooding.isOn) {
      asked += 1
      const query = getIntrospectionQuery().replace('__schema', `ask${asked}: __schema`)
      await flooder.post('/graphql', JSON.stringify({ query })).catch(() => {})
    }
  }
  const read = () =>
    takeSample(
      () => null,
      REQUESTS,
      async () => {
        for (let request = 0; request < REQUESTS; request += 1) {
          const { status } = await reader.get(path)
          if (status !== 200) throw new Error(`the read was answered ${status}`)
        }
      },
    )
  try {
    for (let round = 0; round < settings.rounds; round += 1) {
      alone.push(await read())
      flooding.isOn = true
      const floods = Promise.all(Array.from({ length: FLOOD }, flood))
      await new Promise((resolve) => setTimeout(resolve, 500))
      beside.push(await read())
      flooding.isOn = false
      await floods
      const slow = openSlowReaders(url, SLOW)
      await new Promise((resolve) => setTimeout(resolve, 500))
      besideSlow.push(await read())
      slow.stop()
    }
  } finally {
    flooding.isOn = false
    reader.close()
    flooder.close()
  }
  return [
    summarize({ name: 'api.readAlone', baseline: null, compared: 'wall' }, alone),
    summarize({ name: 'api.readBesideFlood', baseline: 'api.readAlone', compared: 'wall' }, beside),
    summarize({ name: 'api.readBesideSlowReaders', baseline: 'api.readAlone', compared: 'wall' }, besideSlow),
  ]
}
