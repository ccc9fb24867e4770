import { expect, it } from 'vitest'
import { listSignedFields } from '../../../gateway/wallet/app-window/list-signed-fields.ts'

const token = '0x0B306BF915C4d645ff596e518fAf3F9669b97016'

it('the screen lists every field that a signature of typed data covers, and none that it does not', () => {
  const types = {
    Order: [
      { name: 'to', type: 'Person' },
      { name: 'items', type: 'Item[]' },
      { name: 'prices', type: 'uint256[2]' },
      { name: 'notes', type: 'string[]' },
    ],
    Person: [{ name: 'name', type: 'string' }],
    Item: [{ name: 'kind', type: 'string' }],
  }
  const message = {
    to: { name: 'Bob', unsigned: 'x' },
    items: [{ kind: 'tea' }, { kind: 'milk' }],
    prices: ['5', 7],
    notes: [],
    unsigned: 'y',
  }
  const domain = { name: 'Shop', chainId: 1n, verifyingContract: token, unsigned: 'z' } as const
  expect(listSignedFields({ domain, types, primaryType: 'Order', message })).toEqual({
    domain: [
      { path: 'name', value: 'Shop' },
      { path: 'chainId', value: '1' },
      { path: 'verifyingContract', value: token },
    ],
    message: [
      { path: 'to.name', value: 'Bob' },
      { path: 'items[0].kind', value: 'tea' },
      { path: 'items[1].kind', value: 'milk' },
      { path: 'prices[0]', value: '5' },
      { path: 'prices[1]', value: '7' },
      { path: 'notes', value: '[]' },
    ],
  })
})

it('a domain whose type leaves a member out is not shown with it', () => {
  const types = { EIP712Domain: [{ name: 'name', type: 'string' }], A: [{ name: 'b', type: 'bool' }] }
  const domain = { name: 'Shop', verifyingContract: token } as const
  expect(listSignedFields({ domain, types, primaryType: 'A', message: { b: true } })).toEqual({
    domain: [{ path: 'name', value: 'Shop' }],
    message: [{ path: 'b', value: 'true' }],
  })
})
