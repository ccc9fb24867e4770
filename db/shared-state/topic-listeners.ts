import type { Logger } from 'pino'
import type { TopicListener } from './shared-state.ts'

/** Which functions of this instance listen to which topics. */
export interface TopicListeners {
  /** @returns A function that takes the listener away again. */
  add(topic: string, listener: TopicListener): () => void
  /** Calls every listener of the topic; one that throws is logged and does not stop the others. */
  dispatch(topic: string, message: string): void
  /** Whether there is a listener to a topic that begins so. */
  hasAny(start: string): boolean
}

/** The subscriptions of this instance. */
export function createTopicListeners(logger: Logger): TopicListeners {
  // Boxed, so that the same function may listen twice.
  const topics = new Map<string, Set<{ listener: TopicListener }>>()
  return {
    add(topic, listener) {
      const entry = { listener }
      const entries = topics.get(topic) ?? new Set()
      topics.set(topic, entries.add(entry))
      return () => {
        entries.delete(entry)
        if (entries.size === 0 && topics.get(topic) === entries) topics.delete(topic)
      }
    },
    hasAny: (start) => [...topics.keys()].some((topic) => topic.startsWith(start)),
    dispatch(topic, message) {
      for (const { listener } of topics.get(topic) ?? []) {
        try {
          listener(message)
        } catch (error) {
          logger.error({ err: error }, 'a listener failed')
        }
      }
    },
  }
}
