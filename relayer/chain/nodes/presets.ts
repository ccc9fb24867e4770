import arbitrum from './presets/arbitrum.json' with { type: 'json' }
import base from './presets/base.json' with { type: 'json' }
import bnb from './presets/bnb.json' with { type: 'json' }
import ethereum from './presets/ethereum.json' with { type: 'json' }
import gnosis from './presets/gnosis.json' with { type: 'json' }
import optimism from './presets/optimism.json' with { type: 'json' }
import polygon from './presets/polygon.json' with { type: 'json' }

/** Public facts of chains, and the source of each by its setting. A fact without a known source is absent. */
export const PRESETS = { ethereum, base, optimism, arbitrum, polygon, gnosis, bnb } as const

/** The name of a chain whose public facts are known. */
export type PresetName = keyof typeof PRESETS

/** The names, in the order in which documents list them. */
export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]]

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the chain id of a preset; undefined for any other value. */
export const presetChainId = (name: unknown): number | undefined =>
  typeof name === 'string' && Object.hasOwn(PRESETS, name)
    ? PRESETS[name as PresetName].chain.chainId
    : undefined

/**
 * Fills a chain of a configuration from the preset that it names. A member of the configuration stays. An object of the preset
 * fills the same object of the configuration and is never added by itself, so a chain offers no more than its settings name.
 */
export function fillFromPreset(chain: unknown): unknown {
  if (!isMembers(chain) || presetChainId(chain['preset']) === undefined) return chain
  return fill(chain, PRESETS[chain['preset'] as PresetName].chain)
}

function fill(own: Members, preset: Members): Members {
  const filled: Record<string, unknown> = { ...own }
  for (const [name, value] of Object.entries(preset)) {
    const present = own[name]
    if (isMembers(value)) {
      if (isMembers(present)) filled[name] = fill(present, value)
    } else filled[name] = present ?? value
  }
  return filled
}
