import { TRANSITIONS } from '../../../../relayer/chain/broadcast/nonce-machine.ts'
import type { NonceState, Step } from '../../../../relayer/chain/broadcast/nonce-terms.ts'

/**
 * The transition table of a transaction's nonce as a Mermaid diagram, with every event that changes the state or has
 * an effect.
 */
export function drawNonces(): string {
  const arrows = new Map<string, string[]>()
  for (const [state, row] of Object.entries(TRANSITIONS) as [NonceState, Record<string, Step>][])
    for (const [event, { proof, effect, to, until }] of Object.entries(row)) {
      if (effect === 'wait' && to === state) continue
      const asked = proof === 'none' ? '' : ` [${proof}]`
      const fallback = until === to || until === state ? '' : `, else ${until}`
      const does = effect === 'wait' ? '' : ` / ${effect}`
      const key = `${state} --> ${to}|${asked}${does}${fallback}`
      arrows.set(key, [...(arrows.get(key) ?? []), event])
    }
  const lines = [...arrows].map(([key, events]) => {
    const [arrow, label] = key.split('|')
    return `  ${arrow}: ${events.join(', ')}${label}`
  })
  const ends = ['confirmed', 'reverted', 'abandoned'].map((state) => `  ${state} --> [*]`)
  return ['stateDiagram-v2', '  [*] --> queued', ...lines, ...ends].join('\n')
}
