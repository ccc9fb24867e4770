import { killQuotesStory } from '../relayer/transact/quotes/kill-quotes-story.ts'

killQuotesStory([
  ['where it stores the answer', 'where it stores the answer'],
  ['once its quote is seen', 'once its quote is seen'],
  ['once its quote is seen', 'where it stores the answer'],
])
