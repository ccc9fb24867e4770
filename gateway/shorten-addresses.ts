const ADDRESS = /\b((?:https?|wss?|postgres(?:ql)?|rediss?):\/\/)([^\s"\\/@]*@)?([^\s"\\/]+)([^\s"\\]*)/g

/** Reduces URLs anywhere in a text to their host: paths and queries of RPC URLs contain keys. */
export function shortenAddresses(text: string): string {
  return text.replaceAll(ADDRESS, (_, scheme: string, user: string | undefined, host: string, path: string) =>
    user || path.length > 1 ? `${scheme}${host}/…` : scheme + host + path,
  )
}
