import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { eventually } from '../../relayer/chain/indexer/start-index-world.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const read = async (path: string) => (await fetch(`${service.url}${path}`)).text()

it('status page and metrics report how far each chain is indexed', async () => {
  const line = /^indexer_live\{chain="31337"\} 1$/m
  const metrics = await eventually(
    () => read('/metrics'),
    (text) => line.test(text),
  )
  expect(metrics).toMatch(/^indexer_blocks_behind\{chain="31337"\} \d+$/m)
  expect(metrics).toContain('indexer_is_worker{chain="31337"} 1')
  const { indexing } = JSON.parse(await read('/status.json')) as { indexing: { indexedBlock: string }[] }
  expect(indexing).toMatchObject([{ chainId: 31_337, state: 'live', problem: null }])
  const page = await read('/')
  expect(page).toContain('<h2>Indexing</h2>')
})
