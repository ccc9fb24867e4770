import { describe, expect, it } from 'vitest'
import { FIELD_ORDER } from '../../../../proving/field-element.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import {
  computeContext,
  computeLabel,
  computeScope,
  decodeRelayData,
  encodeRelayData,
} from '../../../../relayer/pool/state/formulas.ts'

const recipient = '0x1111111111111111111111111111111111111111'
const feeRecipient = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'
const entrypoint = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707'
const devnetScope = 8944001905360985283472894173577940498501645720093794467964652006385959323310n

describe('scope', () => {
  it('is that of the native pool on Ethereum mainnet', () => {
    const scope = computeScope('0xF241d57C6DebAe225c0F2e6eA1529373C9A9C9fB', 1, NATIVE_ASSET)
    expect(scope).toBe(4916574638117198869413701114161172350986437430914933850166949084132905299523n)
  })

  it('differs between chains', () => {
    const pool = '0x0165878A594ca255338adfa4d48449f69242Eb8F'
    expect(computeScope(pool, 31337, NATIVE_ASSET)).toBe(devnetScope)
    expect(computeScope(pool, 31338, NATIVE_ASSET)).not.toBe(devnetScope)
  })
})

describe('label', () => {
  it('is that of the first deposit of a recorded pool', () => {
    expect(computeLabel(devnetScope, 1n)).toBe(
      18998500625735434698953513455294624981713930963727080096701091664209435006361n,
    )
  })
})

describe('context', () => {
  it('is below the field order and binds every part', () => {
    const data = encodeRelayData({ recipient, feeRecipient, relayFeeBps: 100n })
    const context = computeContext({ processooor: entrypoint, data }, devnetScope)
    expect(context).toBeLessThan(FIELD_ORDER)
    expect(computeContext({ processooor: recipient, data }, devnetScope)).not.toBe(context)
    expect(computeContext({ processooor: entrypoint, data: `${data}00` }, devnetScope)).not.toBe(context)
    expect(computeContext({ processooor: entrypoint, data }, devnetScope + 1n)).not.toBe(context)
  })
})

describe('relay data', () => {
  const data = encodeRelayData({ recipient, feeRecipient, relayFeeBps: 100n })

  it('is 96 bytes and reads back', () => {
    expect(data).toBe(
      `0x${recipient.slice(2).padStart(64, '0')}${feeRecipient.slice(2).toLowerCase().padStart(64, '0')}${(100).toString(16).padStart(64, '0')}`,
    )
    expect(decodeRelayData(data)).toEqual({ recipient, feeRecipient, relayFeeBps: 100n })
  })

  it('is refused when it has another length, dirty address bytes or no hex', () => {
    expect(decodeRelayData('0x')).toBeNull()
    expect(decodeRelayData(`${data}00`)).toBeNull()
    expect(decodeRelayData(`0x01${data.slice(4)}`)).toBeNull()
    expect(decodeRelayData(`0xzz${data.slice(4)}`)).toBeNull()
  })
})
