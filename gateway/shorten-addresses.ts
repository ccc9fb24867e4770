const ADDRESS = /\b((?:https?|wss?|postgres(?:ql)?|rediss?):\/\/)([^\s"\\/@]*@)?([^\s"\\/]+)([^\s"\\]*)/g

/** Addresses keep their host only, wherever in a text they stand: paths and queries of RPC addresses hold keys. */
export function shortenAddresses(text: string): string {
  return text.replaceAll(ADDRESS, (_, scheme: string, user: string | undefined, host: string, path: string) =>
    user || path.length > 1 ? `${scheme}${host}/…` : scheme + host + path,
  )
}
