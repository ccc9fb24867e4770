import { isIPv6 } from 'node:net'

/**
 * The network whose share of a limit an address uses: an IPv4 address itself, or the /64 of an IPv6 address, in which
 * one subscriber may choose any address.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain.slice(0, 64)
  // The URL parser writes the canonical form: one ::, no leading zeros, no dotted quad.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return `${groups.slice(0, 4).join(':')}::/64`
}
