import type { Hex } from 'viem'
import type { ActiveDescriptorRow } from '../../../db/inspect/clear-signing/snapshots.ts'
import { packText, type AnswerPart } from '../../packed-text.ts'
import type { DescriptorSource } from './clear-signing.ts'

/** Characters above which a document is compressed before it is sent. */
const WORTH_COMPRESSING = 1_024

/** A document with its compressed form, which is made on first use. */
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
  /** keccak256 of each format. */
  hashes: ReadonlySet<string>
  /** First 4 bytes of each hash. */
  selectors: ReadonlySet<string>
}

/** All active descriptors. */
export interface ActiveDescriptors {
  /**
   * Returns the descriptors that name a contract, all of one origin: merged ones of a registry take precedence over
   * proposed ones.
   */
  bound(kind: string, chainId: number, address: string): readonly ServedDescriptor[]
  /** Returns the descriptor of a standard; null if there is none. */
  ofStandard(standard: string): ServedDescriptor | null
  /** Signatures of the formatted functions, each once. */
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
