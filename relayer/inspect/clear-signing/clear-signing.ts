import type { Address, Hex } from 'viem'
import type { AnswerPart } from '../../packed-text.ts'

/** Whose meaning is asked for. */
export interface DescriptorRequest {
  kind: 'calldata' | 'eip712'
  chainId: number
  /** The contract that is called, or that verifies the message. */
  address: Address
  /** Who calls, if that is known: the admin of a transparent proxy does not reach its implementation. */
  caller?: Address | undefined
  /** First 4 bytes of a call, lower case. */
  selector?: Hex | undefined
  /** A function or a type as text, or the keccak256 of it. */
  formatKey?: string | undefined
}

/** Where a descriptor comes from. */
export interface DescriptorSource {
  registry: string
  status: 'merged' | 'pull_request' | 'local'
  repository: string | null
  commit: string | null
  path: string
  /** Null for the operator's own. */
  url: string | null
  /** keccak256 of the canonical JSON of the descriptor that is answered. */
  descriptorHash: Hex
  pullRequest: number | null
}

/** Why a descriptor is about the contract. */
export interface DescriptorBinding {
  /** deployment: it names the contract. proxy: it names the implementation. standard: the contract follows a standard. */
  kind: 'deployment' | 'proxy' | 'standard'
  standard: 'erc20' | 'erc721' | 'erc2612' | null
  chainId: number
  /** The contract that the descriptor names: the implementation behind a proxy. */
  address: Address
  evidence: {
    kind:
      | 'registry'
      | 'eip1167'
      | 'eip1967'
      | 'eip1967_beacon'
      | 'token_catalog'
      | 'erc165'
      | 'domain_separator'
    /** What the token's contract says now. */
    onchainDecimals: number | null
    /** Who lists the token. */
    catalogSources: readonly string[]
  }
}

/** A descriptor, where it comes from and why it applies. */
export interface FoundDescriptor {
  /** Canonical JSON. */
  text: string
  /** The same, compressed where that is worth it. */
  pack(): Promise<AnswerPart>
  source: DescriptorSource
  binding: DescriptorBinding
}

/** What calls and messages mean, as published descriptors (ERC-7730) say. Nothing here hears of an account. */
export interface ClearSigning {
  /**
   * The descriptor of a contract: one that names it, that names what is behind its proxy, or that describes a standard which
   * it is proven to follow.
   *
   * @throws ServiceError `bad-request` when selector and format disagree or several descriptors are meant, `not-found`,
   * `bad-gateway` BINDING_UNAVAILABLE while no node answers, `unavailable` SERVER_BUSY.
   */
  lookup(request: DescriptorRequest): Promise<FoundDescriptor>
  /**
   * The functions that active descriptors format, as `transfer(address,uint256)`; each once. The same array until others
   * are active.
   */
  listFormats(): readonly string[]
}
