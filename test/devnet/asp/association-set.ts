import { LeanIMT } from '@zk-kit/lean-imt'
import { hashTreeNode } from '../note-hashes.ts'

/** A set of approved labels in approval order. Labels only join. */
export class AssociationSet {
  #tree = new LeanIMT<bigint>(hashTreeNode)
  #members = new Set<bigint>()

  get size(): number {
    return this.#tree.size
  }

  get labels(): readonly bigint[] {
    return this.#tree.leaves
  }

  /** Null for the empty set, which has none. */
  get root(): bigint | null {
    return this.#tree.size === 0 ? null : this.#tree.root
  }

  has(label: bigint): boolean {
    return this.#members.has(label)
  }

  /** Makes the set consist of these labels; costs as many hashes as there are new ones, where old ones stay in front. */
  replace(labels: readonly bigint[]): void {
    const kept = this.#tree.leaves
    if (kept.length > labels.length || kept.some((label, index) => label !== labels[index])) {
      this.#tree = new LeanIMT<bigint>(hashTreeNode)
    }
    const added = labels.slice(this.#tree.size)
    if (added.length > 0) this.#tree.insertMany(added)
    this.#members = new Set(labels)
  }
}
