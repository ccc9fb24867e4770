import type { Hex } from 'viem'
import type { ActiveDescriptorRow } from '../../../db/inspect/clear-signing/snapshots.ts'
import { packText, type AnswerPart } from '../../packed-text.ts'
import type { DescriptorSource } from './clear-signing.ts'

/** Longer documents are compressed before they are sent. */
const WORTH_COMPRESSING = 1_024

/** A document with its compressed form, which is made when it is first asked for. */
export interface ServedDocument {
  text: string
  hash: Hex
  pack(): Promise<AnswerPart>
}

/** A descriptor as it is served. */
export interface ServedDescriptor extends ServedDocument {
  kind: 'calldata' | 'eip712'
  standard: ActiveDescriptorRow['standard']
  source: Omit<DescriptorSource, 'descriptorHash'>
  /** keccak256 of what it formats. */
  hashes: ReadonlySet<string>
  /** Their first 4 bytes. */
  selectors: ReadonlySet<string>
}

/** All descriptors that are served at a moment. */
export interface ActiveDescriptors {
  /** Those that name a contract, all of one origin: what a registry merged stands above what is proposed to it. */
  bound(kind: string, chainId: number, address: string): readonly ServedDescriptor[]
  /** The one that describes a standard; null where there is none. */
  ofStandard(standard: string): ServedDescriptor | null
  /** Signatures of the functions that are formatted, each once. */
  signatures: readonly string[]
}

/** Makes a document that is compressed at most once. */
export function serveDocument(text: string, hash: Hex): ServedDocument {
  let packed: Promise<AnswerPart> | undefined
  const pack = () => (packed ??= text.length > WORTH_COMPRESSING ? packText(text) : Promise.resolve(text))
  return { text, hash, pack }
}

/** Arranges the descriptors for look-ups. @param rows The preferred origin first. */
export function arrangeDescriptors(rows: readonly ActiveDescriptorRow[]): ActiveDescriptors {
  const byContract = new Map<string, ServedDescriptor[]>()
  const standards = new Map<string, ServedDescriptor>()
  const signatures = new Set<string>()
  for (const row of rows) {
    const served = serveRow(row)
    for (const contract of row.contracts) {
      const key = `${row.kind}:${contract}`
      const others = byContract.get(key)
      if (!others) byContract.set(key, [served])
      else if (others[0] && isSameOrigin(others[0], served)) others.push(served)
    }
    if (row.standard !== null && !standards.has(row.standard)) standards.set(row.standard, served)
    if (row.kind === 'calldata') for (const { signature } of row.formats) signatures.add(signature)
  }
  return {
    bound: (kind, chainId, address) => byContract.get(`${kind}:${chainId}:${address}`) ?? [],
    ofStandard: (standard) => standards.get(standard) ?? null,
    signatures: [...signatures],
  }
}

const isSameOrigin = ({ source: one }: ServedDescriptor, { source: other }: ServedDescriptor) =>
  one.status === other.status && one.pullRequest === other.pullRequest

function serveRow(row: ActiveDescriptorRow): ServedDescriptor {
  const { kind, standard, registry, status, pullRequest, repository, commit, path, formats } = row
  const url =
    repository === null || commit === null ? null : encodeURI(`${repository}/blob/${commit}/${path}`)
  return {
    ...serveDocument(row.document, `0x${row.documentHash.toString('hex')}`),
    kind,
    standard,
    source: { registry, status, repository, commit, path, url, pullRequest },
    hashes: new Set(formats.map(({ hash }) => hash)),
    selectors: new Set(formats.map(({ hash }) => hash.slice(0, 10))),
  }
}
