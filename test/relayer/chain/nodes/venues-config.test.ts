import { expect, it } from 'vitest'
import { venuesConfig } from '../../../../relayer/chain/nodes/venues-config.ts'
import { randomAddress } from '../indexer/chain-calls.ts'

it('an escrow none of whose methods pays a currency with a rate is refused at the start, not at a quote', () => {
  const read = (...currencies: string[]) =>
    venuesConfig.safeParse({
      peer: {
        escrow: randomAddress(),
        orchestrator: randomAddress(),
        curatorUrl: 'http://127.0.0.1:1',
        gatingService: randomAddress(),
        tokens: [randomAddress()],
        methods: [{ name: 'venmo', currencies }],
        rates: [{ currency: 'USD', adapter: randomAddress(), adapterConfig: '0x01' }],
        minIntentAmount: '1',
      },
    })
  expect(read('EUR', 'USD').success).toBe(true)
  const refused = read('EUR')
  expect(refused.error?.issues).toMatchObject([
    { path: ['peer', 'methods'], message: expect.stringContaining('no currency') },
  ])
})
