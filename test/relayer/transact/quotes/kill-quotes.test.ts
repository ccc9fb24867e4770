import { killQuotesStory } from './kill-quotes-story.ts'

/** The other pairs, which start two more services each: test/deep/kill-quotes.test.ts. */
killQuotesStory([['where it stores the answer', 'once its quote is seen']])
