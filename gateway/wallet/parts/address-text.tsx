/** A whole address in groups of four. A reader, and a copy, gets it in one piece. */
export function AddressText({ address, other }: { address: string; other?: string }) {
  const groups = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
  const others = other ? [other.slice(0, 2), ...(other.slice(2).match(/.{1,4}/g) ?? [])] : null
  return (
    <span className="address" translate="no">
      <span className="unseen">{address}</span>
      <span aria-hidden="true">
        {groups.map((group, place) => (
          <span
            key={place}
            className={others && others[place]?.toLowerCase() !== group.toLowerCase() ? 'differs' : ''}
          >
            {group}
          </span>
        ))}
      </span>
    </span>
  )
}
