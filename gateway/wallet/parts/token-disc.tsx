/** A token's picture if it comes within its URL, else its first letters. A picture elsewhere would show its server who looks. */
export function TokenDisc({ symbol, logo }: { symbol: string; logo: string | null }) {
  return logo?.startsWith('data:') ? (
    <img className="disc" src={logo} alt="" width={40} height={40} />
  ) : (
    <span className="disc" aria-hidden="true">
      {symbol.slice(0, 3)}
    </span>
  )
}
