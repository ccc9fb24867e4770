import { expect, it } from 'vitest'
import { networkOf } from '../../../gateway/limits/create-rate-limiter.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'no address'],
])('%s counts as the same client as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('a long client address from a proxy is shortened', () => {
  expect(networkOf('x'.repeat(10_000))).toHaveLength(64)
})
