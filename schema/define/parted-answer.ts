import type { AnswerPart } from '../../relayer/packed-text.ts'

/** A long answer that is mostly the same for many: its JSON in parts, some of which are compressed already. */
export interface PartedAnswer {
  /** Differs whenever the answer to the same request does. */
  version: string
  /** Who may keep the answer and how long, as HTTP's Cache-Control says it. Absent: nobody. Present: it is the same for everybody. */
  cacheControl?: string
  /**
   * Runs only where the client does not have that version.
   *
   * @throws ServiceError what the operation may throw.
   */
  parts(): Promise<readonly AnswerPart[]>
}
