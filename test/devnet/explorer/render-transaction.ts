import { formatEther, type Transaction, type TransactionReceipt } from 'viem'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

/** A page with a title and one sentence. */
export const renderPage = (title: string, text: string): string => wrapPage(title, `<p>${escape(text)}</p>`)

/** @param receipt Null while the transaction waits for a block. */
export function renderTransaction(
  chainId: number,
  { hash, from, to, value, nonce, type, input }: Transaction,
  receipt: TransactionReceipt | null,
): string {
  const facts: [string, string][] = [
    ['Chain', String(chainId)],
    ['Status', receipt?.status ?? 'pending'],
    ['Block', receipt ? String(receipt.blockNumber) : '-'],
    ['From', from],
    ['To', to ?? `new contract ${receipt?.contractAddress ?? ''}`],
    ['Value', `${formatEther(value)} of the coin`],
    ['Gas used', receipt ? `${receipt.gasUsed} at ${receipt.effectiveGasPrice} wei` : '-'],
    ['Type and nonce', `${type}, ${nonce}`],
    ['Input', input],
  ]
  const logs = (receipt?.logs ?? []).map(({ logIndex, address, topics, data }): [string, string] => [
    `${logIndex} ${address}`,
    [...topics, data].join(' '),
  ])
  return wrapPage(
    `Transaction ${hash}`,
    `${renderTable(facts)}<h2>Logs (${logs.length})</h2>${renderTable(logs)}`,
  )
}

const renderTable = (rows: readonly [string, string][]): string =>
  `<table>${rows.map(([name, text]) => `<tr><th>${escape(name)}</th><td>${escape(text)}</td></tr>`).join('')}</table>`

/** @param content HTML, whose texts are escaped. */
const wrapPage = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><h1>${escape(title)}</h1>${content}</html>
`
