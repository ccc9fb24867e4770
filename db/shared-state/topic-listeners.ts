import type { Logger } from 'pino'
import type { TopicListener } from './shared-state.ts'

/** The listeners of this instance, by topic. */
export interface TopicListeners {
  /** @returns A function that removes the listener. */
  add(topic: string, listener: TopicListener): () => void
  /** Calls every listener of the topic; one that throws is logged and does not stop the others. */
  dispatch(topic: string, message: string): void
  /** True if a topic with this prefix has a listener. */
  hasAny(start: string): boolean
}

/** Creates the subscriptions of this instance. */
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
