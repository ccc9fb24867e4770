import type { Holding, RecoveryChain } from 'stealth-relay/client/recovery'
import { getAddress, isAddress, isAddressEqual, type Address } from 'viem'
import { Choice, Field } from '../../wallet/parts/field.tsx'
import type { Destinations } from '../destinations.ts'
import { PAGE, wordHolding } from '../texts.ts'

/** One place for everything, one for each network, or one for each own address. */
type Way = keyof typeof PAGE.found.ways

/** The state of the fields. */
export interface WrittenDestinations {
  way: Way
  /** By the name of the field. */
  texts: Readonly<Record<string, string>>
  /** In words, by the name of the field. */
  errors: Readonly<Record<string, string>>
}

export const NO_DESTINATIONS: WrittenDestinations = { way: 'all', texts: {}, errors: {} }

/** A field with the part of the money that it is about. */
interface Part {
  name: string
  chainId: number | null
  owner: Address | null
}

const ownersOf = (holdings: readonly Holding[]) => [
  ...new Set(holdings.map(({ owner }) => getAddress(owner.address))),
]
const chainsOf = (holdings: readonly Holding[]) => [...new Set(holdings.map(({ chainId }) => chainId))]

/** The ways that make a difference for the chosen money. */
const listWays = (holdings: readonly Holding[]): Way[] => [
  'all',
  ...(chainsOf(holdings).length > 1 ? (['chain'] as const) : []),
  ...(ownersOf(holdings).length > 1 ? (['owner'] as const) : []),
]

function listParts(wanted: Way, holdings: readonly Holding[]): Part[] {
  const way = listWays(holdings).includes(wanted) ? wanted : 'all'
  if (way === 'chain')
    return chainsOf(holdings).map((chainId) => ({ name: String(chainId), chainId, owner: null }))
  if (way === 'owner') return ownersOf(holdings).map((owner) => ({ name: owner, chainId: null, owner }))
  return [{ name: 'all', chainId: null, owner: null }]
}

/** Reads the fields. @returns The destinations, or the errors of the fields. */
export function checkDestinations(
  { way, texts }: WrittenDestinations,
  { chosen, all }: { chosen: readonly Holding[]; all: readonly Holding[] },
): { destinations: Destinations } | { errors: Readonly<Record<string, string>> } {
  const { found } = PAGE
  const own = ownersOf(all)
  const read = listParts(way, chosen).map((part) => {
    const to = (texts[part.name] ?? '').trim()
    const error = !isAddress(to)
      ? found.badTo
      : own.some((one) => isAddressEqual(one, to))
        ? found.ownTo
        : null
    return { ...part, to: to as Address, error }
  })
  const wrong = read.flatMap(({ name, error }) => (error ? [[name, error] as const] : []))
  if (wrong.length > 0) return { errors: Object.fromEntries(wrong) }
  const places = read.map(({ to, ...part }) => ({ ...part, to: getAddress(to) }))
  return {
    destinations: {
      all: places.find(({ name }) => name === 'all')?.to ?? null,
      byChain: new Map(places.flatMap(({ chainId, to }) => (chainId === null ? [] : [[chainId, to]]))),
      byOwner: new Map(places.flatMap(({ owner, to }) => (owner === null ? [] : [[owner, to]]))),
    },
  }
}

/** Asks where the chosen money goes: different places keep addresses apart. */
export function DestinationFields({
  chains,
  chosen,
  value: { way, texts, errors },
  onChange,
}: {
  chains: readonly RecoveryChain[]
  chosen: readonly Holding[]
  value: WrittenDestinations
  onChange: (value: WrittenDestinations) => void
}) {
  const { found } = PAGE
  const ways = listWays(chosen)
  const labelOf = ({ chainId, owner }: Part) => {
    if (owner) return found.toOfOwner(owner)
    return chainId === null
      ? found.to
      : found.toOfChain(chains.find((chain) => chain.chainId === chainId)?.name ?? String(chainId))
  }
  const hintOf = ({ chainId, owner }: Part) => {
    if (chainId === null && owner === null) return found.toHint
    return chosen
      .filter((one) => one.chainId === chainId || one.owner.address === owner)
      .map((one) => wordHolding(one, chains))
      .join(', ')
  }
  return (
    <>
      {ways.length > 1 && (
        <>
          <Choice
            label={found.where}
            value={ways.includes(way) ? way : 'all'}
            options={ways.map((one) => ({ value: one, text: found.ways[one] }))}
            onChoose={(chosenWay) => onChange({ way: chosenWay, texts, errors: {} })}
          />
          <p className="hint">{found.whereHint}</p>
        </>
      )}
      {listParts(way, chosen).map((part) => (
        <Field
          key={part.name}
          label={labelOf(part)}
          hint={hintOf(part)}
          className="mono"
          value={texts[part.name] ?? ''}
          error={errors[part.name] ?? null}
          onChange={(event) =>
            onChange({ way, texts: { ...texts, [part.name]: event.target.value }, errors })
          }
        />
      ))}
    </>
  )
}
