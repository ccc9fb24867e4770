import type { AnswerPart } from '../../relayer/packed-text.ts'

/** A long answer that is mostly the same for many: its JSON in parts, some of which are compressed already. */
export interface PartedAnswer {
  /** Differs whenever the answer to the same request does. */
  version: string
  /** HTTP's Cache-Control of an answer that is the same for everybody; absent for an answer that may not be cached. */
  cacheControl?: string
  /**
   * Runs only where the client does not have that version.
   *
   * @throws ServiceError what the operation may throw.
   */
  parts(): Promise<readonly AnswerPart[]>
}
